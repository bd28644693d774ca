import type { Clock } from '../../core/ports/clock.ts';

/** The machine's clock. */
export function systemClock(): Clock {
  return { now: () => Date.now() };
}

/** Resolves after `ms`; does not keep the process alive by itself. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
