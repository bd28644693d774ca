import type { RetryRule } from '../kind.ts';

/** It means the same whenever it lands, and cannot happen twice. */
export const retry: RetryRule = { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 };
