import type { RetryRule } from '../kind.ts';

/** No other trader can be in its market before it exists: a price cannot move, a mint cannot be there twice. */
export const retry: RetryRule = { maxAttempts: 3, priceRetries: 0, wantedForMs: 10 * 60_000 };
