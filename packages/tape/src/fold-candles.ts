import {
  type Candle,
  type CandlePrices,
  type Resolution,
  STORED_MINUTES,
  type StoredMinutes,
} from './candle.ts';
import { comparePrices } from './price.ts';

/** Minutes of one bar. */
export function minutesOf(resolution: Resolution): number {
  return resolution === '1D' ? 1_440 : Number(resolution);
}

/** The longest kept bars that bars of this resolution are made of, and how many of them make one. */
export function storedFor(resolution: Resolution): {
  readonly minutes: StoredMinutes;
  readonly perBar: number;
} {
  const wanted = minutesOf(resolution);
  const minutes = STORED_MINUTES.findLast((stored) => wanted % stored === 0) ?? 1;
  return { minutes, perBar: wanted / minutes };
}

/** The beginning of the bar that a moment lies in, both in Unix seconds. */
export function barStart(at: number, minutes: number): number {
  return at - (at % (minutes * 60));
}

/** Bars of `minutes` made of shorter ones, which are ascending and whose length divides it. */
export function foldCandles(candles: readonly Candle[], minutes: number): readonly Candle[] {
  const folded: Candle[] = [];
  for (const candle of candles) {
    const t = barStart(candle.t, minutes);
    const last = folded.at(-1);
    if (last?.t === t) folded[folded.length - 1] = joined(last, candle);
    else folded.push({ ...candle, t });
  }
  return folded;
}

/** Two bars as one that begins where the first does. */
function joined(one: Candle, other: Candle): Candle {
  return {
    t: one.t,
    prices: joinedPrices(one.prices, other.prices),
    base: one.base + other.base,
    quote: one.quote + other.quote,
    buyQuote: one.buyQuote + other.buyQuote,
    n: one.n + other.n,
  };
}

function joinedPrices(one: CandlePrices | null, other: CandlePrices | null): CandlePrices | null {
  if (one === null || other === null) return one ?? other;
  const [first, last] = [one.openId < other.openId ? one : other, one.closeId > other.closeId ? one : other];
  return {
    open: first.open,
    openId: first.openId,
    close: last.close,
    closeId: last.closeId,
    high: comparePrices(one.high, other.high) < 0 ? other.high : one.high,
    low: comparePrices(one.low, other.low) > 0 ? other.low : one.low,
  };
}
