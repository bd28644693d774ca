import type { Address } from '../../../core/address/address.ts';
import type { Rate } from '../rules/rate.ts';

/** What an evaluator saw last of a token. `price` is what one unit brings in lamports. */
export type OrderMark = {
  readonly mint: Address;
  readonly slot: bigint;
  readonly price: Rate | null;
  readonly at: number;
};

/** A high that trailing stops of one lane follow. */
export type TrailPeak = {
  readonly mint: Address;
  /** Side, unit, size class and hold: like is compared with like. */
  readonly lane: string;
  /** It is the high of orders that follow the price since then or longer. */
  readonly at: number;
  readonly rate: Rate;
};

/** Who evaluates, and what it leaves for screens and for its successor. Losing it costs two seconds of a high. */
export interface OrderFeedStore {
  /** Takes every shard that nobody holds at `now`, and keeps those of `owner`, until `until`. Returns what it has. */
  take(lease: {
    readonly owner: string;
    readonly now: number;
    readonly until: number;
  }): Promise<readonly number[]>;
  leave(owner: string): Promise<void>;
  saveMarks(marks: readonly OrderMark[]): Promise<void>;
  marks(mints: readonly Address[]): Promise<readonly OrderMark[]>;
  /** Keeps a peak, the higher one of two of the same time; those of its lane that are older and not higher say nothing more and go. */
  savePeaks(peaks: readonly TrailPeak[]): Promise<void>;
  /** Every peak of the tokens. */
  peaks(mints: readonly Address[]): Promise<readonly TrailPeak[]>;
}
