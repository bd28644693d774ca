import type { Clock } from '../ports/clock.ts';

/** The machine's clock. */
export function systemClock(): Clock {
  return { now: () => Date.now(), mark: () => ({ steadyMs: performance.now() }) };
}

/** Resolves after `ms`; does not keep the process alive by itself. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
