import { AggregatorError } from '../../ports/aggregator.ts';
import type { Clock } from '../../ports/clock.ts';

export type Breaker = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Spares traders the waiting for a service that does not answer: after `failures` failures in a row every call is refused at once for
 * `openMs`; then one call is let through to find out, and decides.
 */
export function createBreaker(options: {
  readonly clock: Clock;
  readonly failures: number;
  readonly openMs: number;
}): Breaker {
  const { clock, failures, openMs } = options;
  let failed = 0;
  let openUntil = 0;
  let probing = false;
  return async (call) => {
    const isOpen = failed >= failures;
    if (isOpen && (probing || clock.now() < openUntil)) {
      throw new AggregatorError('circuit-open', 'it failed too often lately');
    }
    probing = isOpen;
    try {
      const value = await call();
      failed = 0;
      return value;
    } catch (error) {
      failed += 1;
      if (failed >= failures) openUntil = clock.now() + openMs;
      throw error;
    } finally {
      if (isOpen) probing = false;
    }
  };
}
