import type { Address } from '@tradepost/solana';
import type { MarketKind } from '@tradepost/venues';

/** The keys for finding a market's transactions and reading trades out of them. */
export type MarketKeys = {
  /** Of the pool. */
  readonly address: Address;
  readonly programId: Address;
  readonly kind: MarketKind;
  /** Token account of the pool. */
  readonly baseVault: Address;
  /** Likewise; where `kind` is `lamports`, the account whose lamports are the quote. */
  readonly quoteVault: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
};

/** Units in both vaults of a market. */
export type VaultBalances = { readonly base: bigint; readonly quote: bigint };
