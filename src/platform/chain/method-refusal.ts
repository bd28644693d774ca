import { SolanaJSONRPCError } from '@solana/web3.js';
import { AppError } from '../../core/errors/app-error.ts';

/** The method is unknown, or is not served for this account. */
const NOT_SERVED: readonly number[] = [-32_601, -32_010];

/** Whether a node refused a method for good. Its health is not in question, and another node may serve it. */
export function isMethodRefusal(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof SolanaJSONRPCError && NOT_SERVED.includes(Number(cause.code));
}
