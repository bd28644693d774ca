import type { Address } from '@tradepost/solana';

/** The holders of a token, as the chain has them. Throws CHAIN_UNREACHABLE. */
export interface TokenHolders {
  /** How many owners hold some of it. Null where counting is switched off: it makes a node look at every account of the token's program. */
  count(token: { readonly mint: Address; readonly tokenProgram: Address }): Promise<number | null>;
  /**
   * The first thousand accounts with units of it, in no order, by a node that keeps such a list (DAS `getTokenAccounts`). Null where no
   * node serves it; then no node is asked again for an hour.
   */
  list(mint: Address): Promise<ListedHolders | null>;
  /**
   * The twenty accounts that hold most, the largest first. Null where no node serves it; then no node is asked again for an hour.
   */
  largest(mint: Address): Promise<readonly { readonly account: Address; readonly amount: bigint }[] | null>;
}

/** `isAll`: there are no others. */
export type ListedHolders = {
  readonly accounts: readonly {
    readonly account: Address;
    readonly owner: Address;
    readonly amount: bigint;
  }[];
  readonly isAll: boolean;
};
