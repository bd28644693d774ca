import type { RetryRule } from '../kind.ts';

/** It states exact amounts, so time does not change its meaning. */
export const retry: RetryRule = { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 };
