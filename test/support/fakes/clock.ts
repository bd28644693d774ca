import type { Clock } from '../../../src/platform/ports/clock.ts';

/** A clock that stands still until it is told to move. Starts at 2026-01-01T00:00:00Z unless told otherwise. */
export function fakeClock(
  startMs: number = Date.UTC(2026, 0, 1),
): Clock & { set(ms: number): void; advance(ms: number): void } {
  let now = startMs;
  return {
    now: () => now,
    set: (ms) => {
      now = ms;
    },
    advance: (ms) => {
      now += ms;
    },
  };
}
