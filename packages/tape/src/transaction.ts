import type { Address } from '@tradepost/solana';

/** An instruction that ran, the inner ones among them. */
export type TapeInstruction = {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** 1 for an instruction of the message, one more for each call below it. */
  readonly height: number;
};

/** A transaction as its block gives it, resolved: its reader needs no further question. */
export type TapeTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  /** Its place in the block. Given by a node, never guessed. */
  readonly index: number;
  /** Unix seconds of the block. */
  readonly at: number;
  readonly failed: boolean;
  /** The first pays the fee. */
  readonly signers: readonly Address[];
  readonly feeLamports: bigint;
  /** In the order in which they ran. */
  readonly instructions: readonly TapeInstruction[];
  /** Lamports of every account of the message, tables included. */
  readonly lamports: readonly {
    readonly account: Address;
    readonly before: bigint;
    readonly after: bigint;
  }[];
  /** Of every token account of the message; 0 on the side on which there was none. */
  readonly tokens: readonly TokenChange[];
  /** May be cut by the node at 10 KB; the last line then says so. */
  readonly logs: readonly string[];
};

export type TokenChange = {
  readonly account: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly before: bigint;
  readonly after: bigint;
};
