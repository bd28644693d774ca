import type { Address } from '@tradepost/solana';
import type { Arrival } from '../rules/arrivals.ts';

/** How far the transactions of an account are known. */
export type DepositCursor = {
  /** A wallet, or a token account of it. */
  readonly account: Address;
  readonly walletId: string;
  /** This one and everything before it is known; null = nothing yet. */
  readonly signature: string | null;
  /** Lamports of a wallet, units of a token account, as of that look; null = not known. */
  readonly held: bigint | null;
  /** Epoch milliseconds: older arrivals are no news. */
  readonly since: number;
};

/** A person's wallet with the known state of its accounts. */
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

/** Why a listed transaction is unread: `open` = one node alone serves it, before it is final; `failed` = its record was not understood. */
export type UnreadCause = 'unserved' | 'disagree' | 'gone' | 'open' | 'failed';

/** A transaction that an account's history lists and that could not be read: it is read again, and never passed over. */
export type UnreadDeposit = {
  readonly walletId: string;
  /** Whose history lists it: the wallet, or a token account of it. */
  readonly account: Address;
  readonly signature: string;
  readonly cause: UnreadCause;
  /** Epoch milliseconds. */
  readonly seenAt: number;
  /** Epoch milliseconds; null = never: two nodes deny it. */
  readonly nextLook: number | null;
};

/** Arrivals in wallets, each once, and how far their accounts are read. */
export interface DepositStore {
  /** Ids of people's wallets from `fromId` on, deleted ones too: money may come to them. In their order. */
  walletIds(fromId: string): Promise<readonly string[]>;
  load(walletIds: readonly string[]): Promise<readonly WatchedWallet[]>;
  /** Inserts deposits that are not known; returns the new ones. Part of the commit that reports them. */
  add(deposits: readonly Deposit[]): Promise<readonly Deposit[]>;
  /** Reported at or before a moment and not checked since, oldest first. */
  toldBefore(at: number, limit: number): Promise<readonly Deposit[]>;
  /** Ends the wait for the second look, once: false where that has been done. */
  settle(deposit: Deposit, as: 'STANDS' | 'CORRECTED'): Promise<boolean>;
  /** How many deposits were reported to a person since a moment. */
  toldSince(userId: string, since: number): Promise<number>;
  /** Keeps a transaction that could not be read, once. Part of the commit that moves the account's cursor behind it. */
  setAside(unread: UnreadDeposit): Promise<void>;
  /** Those that are still read again, the next look first. */
  unread(limit: number): Promise<readonly UnreadDeposit[]>;
  /** Moves the next look; null ends the looks and keeps the row. */
  lookLater(unread: UnreadDeposit, cause: UnreadCause, nextLook: number | null): Promise<void>;
  /** Removes the rows that were read. */
  endUnread(unread: Pick<UnreadDeposit, 'walletId' | 'signature'>): Promise<void>;
  /** Inserts, or moves on; `since` of a cursor that is there stays. */
  saveCursors(cursors: readonly DepositCursor[]): Promise<void>;
}
