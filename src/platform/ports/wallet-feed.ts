import type { Address } from '@tradepost/solana';

/** Changes of wallets and their token accounts, at `confirmed`. A hint only wakes; a read gives the facts. */
export interface WalletFeed {
  /** Follows exactly these from now on. Hints may be lost and may come for nothing; none where no web socket answers. */
  follow(accounts: readonly Address[]): void;
  onHint(listener: (account: Address) => void): void;
  /**
   * Signatures of confirmed transactions, failed ones too, that name the account, newest first, after `until` where that is
   * given. Throws CHAIN_UNREACHABLE.
   */
  recent(
    account: Address,
    page: { readonly until: string | null; readonly before: string | null; readonly limit: number },
  ): Promise<readonly RecentEntry[]>;
  stop(): void;
}

export type RecentEntry = {
  readonly signature: string;
  readonly failed: boolean;
  /** Epoch milliseconds, or null where the node does not know. */
  readonly at: number | null;
};
