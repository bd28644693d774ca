import { SolanaJSONRPCError } from '@solana/web3.js';

/** The newest version of transactions that is read here. A node refuses a call that would have to serve a newer one. */
export const MAX_TRANSACTION_VERSION = 1;

const VERSION_REFUSED = -32_015;

/** Whether a node refused because a transaction has a version that nothing here reads. Its health is not in question. */
export function isVersionRefusal(error: unknown): boolean {
  return error instanceof SolanaJSONRPCError && error.code === VERSION_REFUSED;
}
