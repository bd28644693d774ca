import type { Candle, CandlePrices } from './candle.ts';
import { barStart } from './fold-candles.ts';
import { comparePrices } from './price.ts';
import type { RecordedTrade } from './trade.ts';

type Traded = Pick<RecordedTrade, 'id' | 'at' | 'side' | 'base' | 'quote' | 'price' | 'dust'>;

/** The bars that trades make, ascending: the same bars as the tape keeps, computed a second time. Trades in any order. */
export function foldTrades(trades: readonly Traded[], minutes: number): readonly Candle[] {
  const bars = new Map<number, Candle>();
  for (const trade of trades.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const t = barStart(trade.at, minutes);
    const bar = bars.get(t) ?? { t, prices: null, base: 0n, quote: 0n, buyQuote: 0n, n: 0 };
    bars.set(t, {
      t,
      prices: trade.dust ? bar.prices : withPrice(bar.prices, trade),
      base: bar.base + trade.base,
      quote: bar.quote + trade.quote,
      buyQuote: bar.buyQuote + (trade.side === 'buy' ? trade.quote : 0n),
      n: bar.n + 1,
    });
  }
  return [...bars.values()].toSorted((a, b) => a.t - b.t);
}

/** `trade` is the latest so far. */
function withPrice(prices: CandlePrices | null, { id, price }: Traded): CandlePrices {
  if (prices === null) return { open: price, high: price, low: price, close: price, openId: id, closeId: id };
  return {
    ...prices,
    close: price,
    closeId: id,
    high: comparePrices(price, prices.high) > 0 ? price : prices.high,
    low: comparePrices(price, prices.low) < 0 ? price : prices.low,
  };
}

/** Whether two bars say the same of everything. */
export function isSameBar(one: Candle, other: Candle): boolean {
  const { t, base, quote, buyQuote, n, prices: p } = one;
  const q = other.prices;
  const sums =
    t === other.t &&
    base === other.base &&
    quote === other.quote &&
    buyQuote === other.buyQuote &&
    n === other.n;
  if (!sums || p === null || q === null) return sums && p === q;
  const bounds = [
    [p.open, q.open],
    [p.high, q.high],
    [p.low, q.low],
    [p.close, q.close],
  ] as const;
  return p.openId === q.openId && p.closeId === q.closeId && bounds.every(([a, b]) => a === b);
}
