import { earliestOf, isOver, isStill, type Reading } from './due.ts';

/** Milliseconds since a stored moment, to be shown or to choose a pace by; 0 for one that lies ahead. */
export function ageAt(at: number, now: number): number {
  return Math.max(0, now - at);
}

/** Milliseconds until a stored moment, to be shown or slept; 0 when it is over. */
export function leftAt(until: number, now: number): number {
  return Math.max(0, until - now);
}

/** How far two stored moments lie apart, whichever is the later. */
export function apart(one: number, other: number): number {
  return Math.abs(one - other);
}

/** Whether a stored moment is at least `spanMs` old by every clock: a wait that is counted from it is over. */
export function hasAged(at: number, spanMs: number, clock: Reading): boolean {
  return isOver(at + spanMs, clock);
}

/** Whether a stored moment is less than `spanMs` old by every clock: a permission of that length still holds. */
export function isYoung(at: number, spanMs: number, clock: Reading): boolean {
  return isStill(at + spanMs, clock);
}

/**
 * Since when uses count together: `spanMs` before the earliest clock. A clock that runs ahead forgets no use; its uses lie ahead and count
 * all the same.
 */
export function windowStart(spanMs: number, clock: Reading): number {
  return earliestOf(clock) - spanMs;
}

/** The beginning of the span of `length` that `now` lies in, in the unit of both. */
export function startOf(now: number, length: number): number {
  return now - (now % length);
}
