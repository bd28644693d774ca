import type { RetryRule } from '../kind.ts';

/**
 * It is wanted for three minutes and, after a landed slippage failure, tried once more; its plan never goes below the minimum that was
 * confirmed.
 */
export const retry: RetryRule = { maxAttempts: 3, priceRetries: 1, wantedForMs: 3 * 60_000 };
