import type { Address } from '@tradepost/solana';
import type { MarketKeys } from '@tradepost/tape';

/** One pool or order book as the chain has it. Base and quote never change once written. */
export type NewMarket = MarketKeys & {
  /** Key of the venue: `desk`, `raydium-cpmm` … */
  readonly venue: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Slot at which it was first seen. */
  readonly createdSlot: bigint;
};

export type Market = NewMarket & {
  /** Of the row: never shown. */
  readonly id: number;
  readonly baseTicker: string;
  readonly quoteTicker: string;
  /** `BASE/QUOTE`; several markets of one pair share it. */
  readonly name: string;
  /** The base mint is well known, or vouched for by the operator. */
  readonly verified: boolean;
  readonly followed: boolean;
  /** The one of its pair that the name alone means. */
  readonly primary: boolean;
  /** First slot whose trades may be missing; null where none are. */
  readonly gapSince: bigint | null;
};

/** The name of a mint in market names. Written once per mint and never changed. */
export type MintName = {
  readonly mint: Address;
  /** `PUP`, or `PUP~Gh3k` where another mint has the bare ticker or looks like it. */
  readonly ticker: string;
  readonly verified: boolean;
};
