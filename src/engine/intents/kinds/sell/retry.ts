import type { RetryRule } from '../kind.ts';

/**
 * As a purchase: wanted for three minutes, tried once more after a landed slippage failure, never below the confirmed minimum.
 */
export const retry: RetryRule = { maxAttempts: 3, priceRetries: 1, wantedForMs: 3 * 60_000 };
