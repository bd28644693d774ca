import type { Address } from '../../core/address/address.ts';
import type { PriorityTier } from '../../core/users/settings.ts';

/** An empty token account of the wallet's. */
export type EmptyAccount = { readonly account: Address; readonly tokenProgram: Address };

export type CloseAccountsParams = {
  readonly kind: 'close-accounts';
  /** At least one, at most `MOST_CLOSED`, each once. */
  readonly accounts: readonly EmptyAccount[];
  /** Lamports that come back at least: what was shown. */
  readonly rentLamports: bigint;
  readonly tier: PriorityTier;
};

/** More would not fit a transaction. */
export const MOST_CLOSED = 15;
