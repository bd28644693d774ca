import type { Address } from '@tradepost/solana';
import type { MarketKind } from '@tradepost/venues';

/** One pool or order book as the chain has it. Base and quote never change once written. */
export type NewMarket = {
  /** Of the pool. */
  readonly address: Address;
  /** Key of the venue: `desk`, `raydium-cpmm` … */
  readonly venue: string;
  readonly programId: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Token account of the pool; where `kind` is `lamports`, the account whose lamports are the quote. */
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly kind: MarketKind;
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
