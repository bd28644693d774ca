import { SolanaJSONRPCError } from '@solana/web3.js';
import type { ChainAccount } from '@tradepost/solana';
import { address } from '../../core/address/address.ts';

/** The newest version of transactions that is read here. A node refuses a call that would have to serve a newer one. */
export const MAX_TRANSACTION_VERSION = 1;

/** The feature that lets transactions of version 1 land. */
export const VERSION_1_FEATURE = address('txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL');
const FEATURE_PROGRAM = address('Feature111111111111111111111111111111111111');

/** Whether the account of a feature says that it is active: its first byte is 1 from the epoch on in which it is. */
export function isActive(feature: Pick<ChainAccount, 'owner' | 'data'> | null): boolean {
  return feature?.owner === FEATURE_PROGRAM && feature.data[0] === 1;
}

const VERSION_REFUSED = -32_015;

/** Whether a node refused because a transaction has a version that nothing here reads. Its health is not in question. */
export function isVersionRefusal(error: unknown): boolean {
  return error instanceof SolanaJSONRPCError && error.code === VERSION_REFUSED;
}
