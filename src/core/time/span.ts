/** How far the clocks of two processes may lie apart without anybody being refused for it. */
export const SKEW_MS = 60_000;

/**
 * Whether something that is allowed from `from` until `until` is allowed now. A clock that shows a time before it was given was
 * set back, and nobody knows for how long it would last then: it counts as over.
 */
export function isWithin(span: { readonly from: number; readonly until: number }, now: number): boolean {
  return now >= span.from - SKEW_MS && now < span.until;
}

/**
 * Whether the moment for the next piece of work has come. Such moments lie at most `longestMs` ahead: one that lies further ahead
 * is from before the clock was set back, and is not waited for.
 */
export function hasCome(at: number, now: number, longestMs: number = SKEW_MS): boolean {
  return now >= at || at - now > longestMs;
}
