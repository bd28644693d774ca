import type { Address } from '@tradepost/solana';
import type { Follow } from './rules/follow.ts';
import type { LeaderFunder } from './rules/leader-funder.ts';
import type { LeaderHistory } from './rules/leader-history.ts';
import type { LeaderTrade } from './rules/leader-trade.ts';

/** Followed wallets, their trades, and how far the log of the tape was read for them. */
export interface FollowStore {
  /** False, and nothing is stored, where the person follows the wallet already. */
  insert(follow: Follow): Promise<boolean>;
  find(id: string): Promise<Follow | null>;
  /** A person's, oldest first. */
  listByUser(userId: string): Promise<readonly Follow[]>;
  /** Label, bar and notices of the row, also where its hour is over. */
  change(follow: Pick<Follow, 'id' | 'label' | 'minLamports' | 'notices'>): Promise<void>;
  /** Their hours, in one statement: for the reader of the log alone. Each id once. */
  count(follows: readonly Pick<Follow, 'id' | 'hourAt' | 'hourTold' | 'hourHeld'>[]): Promise<void>;
  remove(id: string): Promise<void>;

  /** Every wallet that anybody follows, each once. */
  leaders(): Promise<readonly Address[]>;
  /** The follows of these people, by id. */
  ofPeople(userIds: readonly string[]): Promise<readonly Follow[]>;
  /** Everybody who follows one of these, by id. */
  followersOf(leaders: readonly Address[]): Promise<readonly Follow[]>;
  /** Those with counted trades whose hour began at or before a moment. */
  dueDigests(hourAtMost: number): Promise<readonly Follow[]>;

  /**
   * Writes trades down. Answers those that were not known (`new`), those that had been taken back and stand again (`back`), and those that the
   * tape has in another block now (`moved`): both are as they are given from then on. A trade that is known otherwise is left as it is.
   */
  record(
    trades: readonly LeaderTrade[],
  ): Promise<readonly { readonly trade: LeaderTrade; readonly how: 'new' | 'back' | 'moved' }[]>;
  /** Marks trades of the tape as taken back; answers with those that stood until now. */
  takeBack(tradeIds: readonly bigint[]): Promise<readonly LeaderTrade[]>;
  /** A wallet's trades since a moment (epoch milliseconds), newest first; those of one second in the chain's order. */
  trades(leader: Address, since: number, limit: number): Promise<readonly LeaderTrade[]>;
  /**
   * The purchases of these wallets in these tokens between two moments (epoch milliseconds, both belong to it; null = no end), also those that
   * were taken back, in the chain's order: of each wallet and token the newest `SIGNAL_LIMITS.purchases`.
   */
  purchases(
    leaders: readonly Address[],
    mints: readonly Address[],
    span: { readonly since: number; readonly until: number | null },
  ): Promise<readonly LeaderTrade[]>;

  /** Up to where the log was read; null before it was. */
  place(): Promise<bigint | null>;
  /** Begins at a place; where it began already it stays. */
  startAt(place: bigint): Promise<void>;
  /** False, and nothing moves, where another reader was faster: the row is locked until the end of the transaction. */
  movePlace(from: bigint, to: bigint): Promise<boolean>;

  /** How far a wallet's past was read; null where that was not begun. */
  history(leader: Address): Promise<LeaderHistory | null>;
  /** Begins those of followed wallets that have none, at this moment; those of wallets that are followed no more end. */
  beginHistories(at: number): Promise<void>;
  /** One that goes on, the one with the fewest reads first; null where none does. */
  openHistory(): Promise<LeaderHistory | null>;
  /** False, and nothing is written, where another process read on from `before`. */
  moveHistory(before: LeaderHistory, after: LeaderHistory): Promise<boolean>;

  /** Begins the search for the funders of followed wallets that have none; those of wallets that are followed no more end. */
  beginFunders(): Promise<void>;
  /** A search that goes on and may ask now (epoch milliseconds), the one with the fewest tries first; null where none does. */
  openFunder(now: number): Promise<LeaderFunder | null>;
  /** False, and nothing is written, where another process tried since `before`. */
  moveFunder(before: LeaderFunder, after: LeaderFunder): Promise<boolean>;
  /** The funders of these wallets that are known. */
  funders(leaders: readonly Address[]): Promise<ReadonlyMap<Address, Address>>;
}
