import type { RetryRule } from '../kind.ts';

/** An account is closed once: whenever it lands it means the same. */
export const retry: RetryRule = { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 };
