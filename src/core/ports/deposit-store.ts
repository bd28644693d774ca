import type { Address } from '../address/address.ts';
import type { Arrival } from '../deposits/arrivals.ts';

/** How far the transactions of an account are known. */
export type DepositCursor = {
  /** A wallet, or a token account of it. */
  readonly account: Address;
  readonly walletId: string;
  /** This one and everything before it is known; null = nothing yet. */
  readonly signature: string | null;
  /** Lamports of a wallet, units of a token account, as of that look; null = not known. */
  readonly held: bigint | null;
  /** Epoch milliseconds: what is older is nobody's news. */
  readonly since: number;
};

/** A person's wallet with what is known of its accounts. */
export type WatchedWallet = {
  readonly walletId: string;
  readonly userId: string;
  readonly address: Address;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly cursors: readonly DepositCursor[];
  /** Mints of which units are held, or were when they were last folded. */
  readonly mints: readonly Address[];
};

export type Deposit = Arrival & {
  readonly walletId: string;
  readonly userId: string;
  readonly signature: string;
  readonly slot: bigint;
  readonly at: number;
  readonly told: boolean;
};

/** What arrived in wallets, each thing once, and how far their accounts are known. */
export interface DepositStore {
  /** Ids of people's wallets from `fromId` on, deleted ones too: money may come to them. In their order. */
  walletIds(fromId: string): Promise<readonly string[]>;
  load(walletIds: readonly string[]): Promise<readonly WatchedWallet[]>;
  /** Inserts what is not known; returns what was new. Part of the commit that tells it. */
  add(deposits: readonly Deposit[]): Promise<readonly Deposit[]>;
  /** How many a person was told of since a moment. */
  toldSince(userId: string, since: number): Promise<number>;
  /** Inserts, or moves on; `since` of a cursor that is there stays. */
  saveCursors(cursors: readonly DepositCursor[]): Promise<void>;
}
