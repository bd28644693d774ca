import type { Address } from '@tradepost/solana';

/** One trade as the chain has it. */
export type TapeTrade = {
  /** See `trade-id.ts`. */
  readonly id: bigint;
  /** Row id of the market. */
  readonly marketId: number;
  /** Unix seconds: the time of the block. */
  readonly at: number;
  /** The taker's: `buy` when base left the vault. */
  readonly side: TradeSide;
  /** Units of the base mint that the vault paid out or took in; at least 1. */
  readonly base: bigint;
  /** Units of the quote mint likewise; at least 1. */
  readonly quote: bigint;
  /** Units of the quote mint; null where the venue does not say and has no fixed rate. */
  readonly fee: bigint | null;
  readonly feeSource: FeeSource;
  readonly trader: Address;
  /** Base58. Several trades can have one. */
  readonly signature: string;
  /** `call`: from the transfers of one call. `event`: from the program's log. `net`: from the vaults' balances alone. */
  readonly source: TradeSource;
};

export type TradeSide = 'buy' | 'sell';
export type FeeSource = 'event' | 'rate' | 'unknown';
export type TradeSource = 'call' | 'event' | 'net';

/** A trade as the tape keeps it. */
export type RecordedTrade = TapeTrade & {
  /** Quote per base in whole tokens: 18 significant digits, the rest cut off. */
  readonly price: DecimalText;
  /** Too small to say a price; see `isDust`. */
  readonly dust: boolean;
  /** False until the seal lane has found it in a finalized block: a fork may take it back. */
  readonly sealed: boolean;
  /** Epoch milliseconds at which it was written down. */
  readonly createdAt: number;
};

/** A plain decimal without sign, exponent or trailing zeros: `0.00000012`, `1500`. */
export type DecimalText = string;

/** On either side. The price of a smaller trade is off by more than 0.1 % through rounding alone. */
const DUST_UNITS = 1_000n;

/** Whether the trade is too small to count in open, high, low, close and last price. It counts in volumes. */
export function isDust({ base, quote }: Pick<TapeTrade, 'base' | 'quote'>): boolean {
  return base < DUST_UNITS || quote < DUST_UNITS;
}
