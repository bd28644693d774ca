import type { Address } from '@tradepost/solana';

/** One question to one venue: its pools of two mints, or, with `mintB` null, every pool that holds `mintA`. */
export type PoolSearchKey = {
  readonly venue: string;
  readonly mintA: Address;
  readonly mintB: Address | null;
};

export type FoundPool = {
  readonly id: Address;
  /** In the pool's own order. */
  readonly mints: readonly [Address, Address];
};

/** A pool as last seen. Times are epoch milliseconds. A hint where to look: prices come from the chain alone. */
export type CataloguedPool = FoundPool & {
  readonly venue: string;
  /** Null before the first look. */
  readonly seen: {
    readonly at: number;
    readonly slot: bigint;
    /** Units of each mint that the pool could pay out. */
    readonly reserves: readonly [bigint, bigint];
  } | null;
  /** Since when it has had nothing to trade; null when it has. */
  readonly emptySince: number | null;
};

export type TokenName = { readonly mint: Address; readonly symbol: string; readonly name: string };

/**
 * How a question was last answered. `partial`: at the places that follow from the mints alone. `whole`: the program's accounts were
 * listed. `refused`: no node lists them, and every other way was gone. `failed`: it could not be asked.
 */
export type SearchOutcome = 'partial' | 'whole' | 'refused' | 'failed';

export type KnownSearch = {
  readonly searchedAt: number;
  /** The best of the searches that answer the question. */
  readonly outcome: SearchOutcome;
  /** At most `MAX_POOLS_PER_SEARCH`, those never looked at first, then the deepest. */
  readonly pools: readonly CataloguedPool[];
};

/** More pools than this of one search are not remembered: anybody can open pools by the thousand. */
export const MAX_POOLS_PER_SEARCH = 256;

/**
 * The known exchange pools, over all processes and restarts. A cache: it may lag behind the chain, name pools that are gone and lose
 * everything, at the cost of searches.
 */
export interface PoolCatalogue {
  /**
   * The known answer to each question, in the order asked; null for one that was never answered. The answer to a question about every pool
   * of a mint also answers those about its pairs. Notes that the questions and their pools were asked for.
   */
  find(keys: readonly PoolSearchKey[], now: number): Promise<readonly (KnownSearch | null)[]>;
  /**
   * Writes down a search that was made. Pools that it no longer finds stay until their next look: one node that lags or lies must not empty
   * the catalogue. An empty answer is remembered, too; a failed or partial one takes nothing from a better one before.
   */
  record(key: PoolSearchKey, found: readonly FoundPool[], now: number, outcome: SearchOutcome): Promise<void>;
  /** Pools that no question led to, as if a person had asked for them at `askedAt`. A known one stays as it is. */
  add(venue: string, pools: readonly FoundPool[], now: number, askedAt: number): Promise<void>;
  /**
   * Questions asked since then and answered before that, or only in part, these first and then the longest unanswered; pairs that a
   * wider one covers, searched whole, left out.
   */
  dueSearches(due: {
    readonly askedSince: number;
    readonly searchedBefore: number;
    readonly limit: number;
  }): Promise<readonly PoolSearchKey[]>;
  /** Pools of one venue asked for since then and not looked at since that, those never looked at first. */
  duePools(due: {
    readonly venue: string;
    readonly askedSince: number;
    readonly seenBefore: number;
    readonly limit: number;
  }): Promise<readonly CataloguedPool[]>;
  /** Writes down the looks at pools; a look at an older slot than the known one changes nothing. Reserves of 0 and 0 are empty. */
  saveSeen(
    pools: readonly {
      readonly id: Address;
      readonly slot: bigint;
      readonly reserves: readonly [bigint, bigint];
    }[],
    now: number,
  ): Promise<void>;
  /** Mints of known pools whose names were never read, or before `readBefore`, the longest unread first. */
  dueNames(due: { readonly readBefore: number; readonly limit: number }): Promise<readonly Address[]>;
  /** Writes down the names of mints, folded as searches will be; empty where they have no name. */
  saveNames(names: readonly TokenName[], now: number): Promise<void>;
  /** Mints of known pools whose symbol or name contains the text: equal symbols, then those that begin so, then the rest. */
  findNames(text: string, limit: number): Promise<readonly Address[]>;
  /** Forgets pools that are no more. */
  remove(ids: readonly Address[]): Promise<void>;
  /**
   * Forgets pools that have been empty since before `emptyBefore`, and pools and questions not asked for since `askedBefore`. The longest
   * unasked beyond the maximum go too, and the names of mints without a pool. Returns the number of pools and questions that went.
   */
  trim(bounds: {
    readonly emptyBefore: number;
    readonly askedBefore: number;
    readonly maxPools: number;
    readonly maxSearches: number;
  }): Promise<number>;
}
