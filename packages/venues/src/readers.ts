import type { Address, ChainAccount } from '@tradepost/solana';

/** Reads raw accounts. */
export interface AccountReader {
  /** In the order asked, null where missing; `slot` is the oldest slot that any of them was read at. */
  accounts(
    addresses: readonly Address[],
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] }>;
}

/** Knows the present rent. */
export interface RentReader {
  /** Lamports that keep an account of so many bytes alive. */
  rentExemption(bytes: number): Promise<bigint>;
}

/** Slots with after < slot <= upTo. */
export type SlotRange = { readonly after: bigint; readonly upTo: bigint };

/** Finds transactions by an account that they name. */
export interface TransactionReader {
  /** Those of these slots, confirmed, failed ones too, in the order of the chain. */
  naming(address: Address, range: SlotRange): Promise<readonly RanTransaction[]>;
}

/** A transaction of a block with every instruction that ran, the inner ones among them. */
export type RanTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  /** Its place in the block. */
  readonly index: number;
  /** Unix seconds of the block. */
  readonly at: number;
  readonly failed: boolean;
  readonly instructions: readonly {
    readonly program: Address;
    readonly accounts: readonly Address[];
    readonly data: Uint8Array;
  }[];
};
