import { isStill, latestOf, type Reading } from './due.ts';

/** How far the clocks of two processes may lie apart without a refusal. */
export const SKEW_MS = 60_000;

/**
 * Whether something that is allowed from `from` until `until` is allowed now, by every clock. Where all of them show a time before it was
 * given they were set back, and its true rest is unknown then: it counts as over.
 */
export function isWithin(span: { readonly from: number; readonly until: number }, at: Reading): boolean {
  return latestOf(at) >= span.from - SKEW_MS && isStill(span.until, at);
}

/**
 * Whether a lock-out that was set for `longestMs` still holds. One whose end lies further ahead than it can last is from before the
 * clock was set back, and is over: a wrong clock locks no person out. Processes whose clocks differ by less
 * than SKEW_MS end none of each other's.
 */
export function isLockedOut(until: number, now: number, longestMs: number): boolean {
  return now < until && until - now <= longestMs + SKEW_MS;
}

/**
 * Whether the moment for the next piece of work has come. Such moments lie at most `longestMs` ahead: one that lies further ahead
 * is from before the clock was set back, and is not waited for.
 */
export function hasCome(at: number, now: number, longestMs: number = SKEW_MS): boolean {
  return now >= at || at - now > longestMs;
}
