import type { Address } from '@tradepost/solana';
import type { CreatorMove } from '../rules/creator-moves.ts';
import type { Rate } from '../rules/rate.ts';

/** An evaluator's last view of a token. `price` is the output of one unit in lamports. */
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

/** Final transfers of a creator as they were read: whole after one slot, up to another. */
export type CreatorRead = {
  readonly creator: Address;
  readonly after: bigint;
  readonly slot: bigint;
  readonly moves: readonly CreatorMove[];
  /** Epoch milliseconds of the reading. */
  readonly at: number;
};

/** A transfer, and when it was read first. */
export type SeenMove = CreatorMove & { readonly seenAt: number };

/** The evaluators, and their notes for screens and for their successors. Losing them costs two seconds of a high. */
export interface OrderFeedStore {
  /** Takes every shard that no owner holds at `now`, and keeps those of `owner`, until `until`. Returns the shards it has. */
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
  /** The slots between which the transfers of a creator were read; null before the first reading. */
  creatorPlace(creator: Address): Promise<Pick<CreatorRead, 'after' | 'slot'> | null>;
  /** Keeps a reading and its place, in one statement. A known move stays as it is. */
  saveCreatorRead(read: CreatorRead): Promise<void>;
  /** A creator's transfers of a token after a slot, oldest first. */
  creatorMoves(mint: Address, creator: Address, afterSlot: bigint): Promise<readonly SeenMove[]>;
}
