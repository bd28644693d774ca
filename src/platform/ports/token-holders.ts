import type { Address } from '../../core/address/address.ts';

/** Who holds a token, as the chain has it. Throws CHAIN_UNREACHABLE. */
export interface TokenHolders {
  /**
   * How many owners hold some of it. Null where nobody asked for it to be counted: it makes a node look at every account of the
   * token's program.
   */
  count(token: { readonly mint: Address; readonly tokenProgram: Address }): Promise<number | null>;
  /** The twenty accounts that hold most, the largest first. */
  largest(mint: Address): Promise<readonly { readonly account: Address; readonly amount: bigint }[]>;
}
