import type { Marks } from '../../core/text/figures.ts';

/** Pictures of numbers. Floats are enough here: nothing that is drawn is ever paid. Texts are hostile and are drawn as text. */

export type ChartTheme = 'dark' | 'light';

/** Rising and falling differ by shape (hollow, filled) in both; colour-blind people too can distinguish `blue-orange`. */
export type ChartColours = 'blue-orange' | 'green-red';

/** `marks`: those of its numbers, in the language of its reader. */
export type ChartLook = {
  readonly theme: ChartTheme;
  readonly colours: ChartColours;
  readonly marks: Marks;
};

/** One bar. `t` is the start of its bucket in Unix seconds; `volume` in the unit of the price. */
export type ChartCandle = {
  readonly t: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

export type CandlesPicture = {
  /** `PUP/SOL · 15m` */
  readonly title: string;
  /** Mint, time in UTC, slot. */
  readonly subtitle: string;
  readonly footer: string;
  /** Seconds per bar. */
  readonly step: number;
  /** Ascending by `t`; the newest 120 buckets are drawn. A bucket without trades has no bar, and a gap it stays. */
  readonly candles: readonly ChartCandle[];
  /** The viewer's own trades; those outside the drawn time are left out. */
  readonly trades: readonly { readonly t: number; readonly price: number; readonly side: 'buy' | 'sell' }[];
  /** Dashed: the entry price of the position, the triggers of open orders. */
  readonly lines: readonly {
    readonly price: number;
    readonly label: string;
    readonly kind: 'entry' | 'order';
  }[];
  readonly look: ChartLook;
};

export type DepthPicture = {
  readonly title: string;
  readonly subtitle: string;
  readonly footer: string;
  /** Said over the two sides, and of a step that the market has no more for. */
  readonly texts: { readonly sell: string; readonly buy: string; readonly none: string };
  /** The amounts that move the price so far, nearest first: `percent` > 0, amounts as `texts` says; null = the market has no more. */
  readonly buy: readonly { readonly percent: number; readonly amount: number | null }[];
  readonly sell: readonly { readonly percent: number; readonly amount: number | null }[];
  readonly look: ChartLook;
};

export type PnlPicture = {
  readonly symbol: string;
  /** Net of all fees; null is drawn as n/a. */
  readonly percent: number | null;
  /** `unrealized, if sold 14:02 UTC` or `realized`. */
  readonly state: string;
  /** Lines such as `held 3 h 20 min`, `+0.48 SOL`; at most four are drawn. */
  readonly facts: readonly string[];
  readonly footer: string;
  readonly link: string;
  readonly bot: string;
  readonly look: ChartLook;
};

export type PortfolioPicture = {
  readonly title: string;
  readonly subtitle: string;
  readonly footer: string;
  /** Said where there is no day, where there is one, and of the shares too small to be named. */
  readonly texts: { readonly none: string; readonly first: string; readonly rest: string };
  readonly unit: string;
  /** Net value by day, ascending; `t` in Unix seconds. */
  readonly values: readonly { readonly t: number; readonly value: number }[];
  /** Its parts, in `unit`. The six largest are drawn, the rest together. */
  readonly shares: readonly { readonly label: string; readonly value: number }[];
  readonly look: ChartLook;
};

export interface Charts {
  /** PNG of 1280 × 800. Throws a RangeError for an empty list: a chart without bars is a text for the caller to say. */
  candles(picture: CandlesPicture): Promise<Uint8Array>;
  /** PNG of 1280 × 800. */
  depth(picture: DepthPicture): Promise<Uint8Array>;
  /** PNG of 1200 × 630, the size that chats preview. */
  pnl(picture: PnlPicture): Promise<Uint8Array>;
  /** PNG of 1280 × 800. */
  portfolio(picture: PortfolioPicture): Promise<Uint8Array>;
}
