import type { Address } from '@tradepost/solana';
import type { Market, MintName, NewMarket } from '../rules/market.ts';

/** The known markets, and the names of their mints. Rows are never deleted. In Postgres, wherever the tape is kept. */
export interface MarketStore {
  /** Every market, by address. */
  all(): Promise<readonly Market[]>;
  /** Null for an address that is none. */
  find(address: Address): Promise<Market | null>;
  /** Markets that trade the mint, primaries first, then by address. */
  ofMint(mint: Address): Promise<readonly Market[]>;
  /**
   * Writes down markets, followed, and leaves those alone that are known. Every mint must have been named before. The first
   * market of a pair is its primary. Returns all of them as they are now, in the order given.
   */
  record(markets: readonly NewMarket[]): Promise<readonly Market[]>;
  /**
   * Gives each mint its ticker, in the order given, once and for ever. A bare ticker belongs to the first mint that has a new skeleton,
   * unless it imitates a verified one. Returns all of them; existing ones are unchanged.
   */
  nameMints(claims: readonly NameClaim[]): Promise<readonly MintName[]>;
  /** Names of these mints; those without one are left out. */
  names(mints: readonly Address[]): Promise<readonly MintName[]>;
  setFollowed(marketIds: readonly number[], followed: boolean): Promise<void>;
  /** Makes one market the primary of its pair and the others not. */
  setPrimary(marketId: number): Promise<void>;
  /** The newest looks at the markets' pools. */
  saveLooks(looks: readonly MarketLook[]): Promise<void>;
  /** By market; markets without a look are left out. */
  looks(): Promise<ReadonlyMap<number, MarketLook>>;
  /** Hash of the first block of the chain that the tape is of; null before the first start. */
  genesis(): Promise<string | null>;
  /** Writes it down if there is none, and returns the one that holds. */
  claimGenesis(hash: string): Promise<string>;
  /** Deletes the whole tape, the markets and their names: for an operator who moves to another chain. */
  forget(): Promise<void>;
}

export type MarketLook = {
  readonly marketId: number;
  /** Units of the quote mint that could be taken out. */
  readonly quote: bigint;
  /** Quote per base in whole tokens, the middle of buying and selling; null where the pool does not trade. */
  readonly mid: number | null;
  /** Epoch milliseconds. */
  readonly at: number;
};

export type NameClaim = {
  readonly mint: Address;
  /** As on chain; null where it has none. */
  readonly symbol: string | null;
  /** Well known, or vouched for by the operator. */
  readonly verified: boolean;
  /** Looks like a mint that is: its bare ticker is not to be had. */
  readonly imitates: boolean;
};
