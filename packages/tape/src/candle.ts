import type { DecimalText } from './trade.ts';

/** Minutes per bar, in the words of the API. Bars begin at whole multiples in UTC; a trade on the edge belongs to the later. */
export const RESOLUTIONS = ['1', '3', '5', '15', '30', '60', '120', '180', '240', '1D'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Those that are kept; the others are folded from them. */
export const STORED_MINUTES = [1, 5, 15, 60, 240, 1_440] as const;
export type StoredMinutes = (typeof STORED_MINUTES)[number];

/** The trades in one market between `t` and the end of the bar. There is no bar where nothing happened. */
export type Candle = {
  /** Unix seconds of its beginning. */
  readonly t: number;
  /** Null when every trade of the bar was dust. */
  readonly prices: CandlePrices | null;
  /** Units of the base mint traded. */
  readonly base: bigint;
  /** Units of the quote mint traded. */
  readonly quote: bigint;
  /** Those of them that bought base. */
  readonly buyQuote: bigint;
  /** Trades. */
  readonly n: number;
};

/** Quote per base in whole tokens, of the trades that are not dust. Open and close follow the smallest and the largest id. */
export type CandlePrices = {
  readonly open: DecimalText;
  readonly high: DecimalText;
  readonly low: DecimalText;
  readonly close: DecimalText;
  readonly openId: bigint;
  readonly closeId: bigint;
};

/** The trades of a market in the last 24 hours: the last 1,440 whole minutes and the current one. */
export type MarketStats = {
  readonly marketId: number;
  /** Unix seconds of the window's beginning. */
  readonly windowStart: number;
  /** Units traded in the window; see `Candle`. */
  readonly base: bigint;
  readonly quote: bigint;
  readonly buyQuote: bigint;
  readonly n: number;
  /** Of the trades in the window that are not dust; null where there are none. */
  readonly high: DecimalText | null;
  readonly low: DecimalText | null;
  /** The last price before the window, or else the first one ever; null before any. */
  readonly first: StatedPrice | null;
  /** False where `first` is a price from within the window: there was none before it. */
  readonly firstIsBefore: boolean;
  /** The last price ever. */
  readonly last: StatedPrice | null;
};

export type StatedPrice = {
  readonly price: DecimalText;
  readonly id: bigint;
  /** Unix seconds. */
  readonly at: number;
};
