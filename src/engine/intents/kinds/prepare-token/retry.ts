import type { RetryRule } from '../kind.ts';

/** Each attempt makes a mint of its own, so only a proven death lets another begin. Its price is in no market. */
export const retry: RetryRule = { maxAttempts: 3, priceRetries: 0, wantedForMs: 10 * 60_000 };
