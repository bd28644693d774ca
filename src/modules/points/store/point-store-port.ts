import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import type { Miner } from '../rules/mining.ts';
import type { Facts } from '../rules/missions.ts';

export type BoardRow = {
  readonly userId: string;
  /** Null for those who did not ask to be named. */
  readonly name: string | null;
  /** Place from 1; equal points are ordered by id. */
  readonly place: number;
  readonly points: bigint;
};

export type PointLine = {
  readonly reason: LedgerTransfer['reason'];
  readonly ref: string;
  /** When the last of them was booked; a day's mining is one line. */
  readonly at: number;
  readonly points: bigint;
};

export interface PointStore {
  /** The miner of a Telegram account, null before its first tap, and the person's points. */
  find(
    telegramId: bigint,
    userId: string,
  ): Promise<{ readonly miner: Miner | null; readonly points: bigint }>;
  /**
   * Writes the miner and adds the points of the tap, both or neither, when the row still has version `expected` (0 = there is none).
   * False when another process was faster: read again. The points count everywhere at once; taps of a day may become one transfer.
   */
  saveTap(miner: Miner, expected: number, transfer: LedgerTransfer | null): Promise<boolean>;
  /**
   * Facts of a person within [from, until), but for the streak, which the miner tells. Whole UTC days, or until
   * Number.MAX_SAFE_INTEGER; a RangeError otherwise.
   */
  facts(
    userId: string,
    span: { readonly from: number; readonly until: number },
  ): Promise<Omit<Facts, 'streak'>>;
  /** Of these transfer keys, those that were posted. */
  posted(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** A person's postings, newest first. */
  history(
    userId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<readonly PointLine[]>;
  /** The best by points earned within [from, until), whole UTC days, and the person themselves when they earned any. */
  board(
    span: { readonly from: number; readonly until: number },
    limit: number,
    userId: string,
  ): Promise<readonly BoardRow[]>;
  boardName(userId: string): Promise<string | null>;
  setBoardName(userId: string, name: string | null): Promise<void>;
}
