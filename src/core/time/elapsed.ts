import type { Clock, Mark } from '../../platform/ports/clock.ts';

/** Longer ago than anything. */
export const NEVER: Mark = { steadyMs: Number.NEGATIVE_INFINITY };

/** This moment, to measure from. */
export function markOf(clock: Clock): Mark {
  return clock.mark?.() ?? { steadyMs: clock.now() };
}

/**
 * Milliseconds since a mark of the same clock; a wall clock that is set meanwhile changes nothing; infinite after NEVER. A clock that has no
 * steady one and was set back does not know: the answer is infinite, so nothing is kept or blocked for too long.
 */
export function elapsedSince(mark: Mark, clock: Clock): number {
  const elapsed = markOf(clock).steadyMs - mark.steadyMs;
  return elapsed < 0 ? Number.POSITIVE_INFINITY : elapsed;
}

/** Milliseconds of a clock that cannot be set, from a beginning of its own: differences of them are durations. */
export function steadyOf(clock: Clock): () => number {
  return () => markOf(clock).steadyMs;
}
