import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RESOLUTIONS } from '../src/candle.ts';
import { foldCandles, minutesOf, storedFor } from '../src/fold-candles.ts';
import { foldTrades, isSameBar } from '../src/fold-trades.ts';
import { exactPrice } from '../src/price.ts';
import { isDust } from '../src/trade.ts';
import { tradeId } from '../src/trade-id.ts';

const DECIMALS = { baseDecimals: 6, quoteDecimals: 9 };
const trade = fc
  .record({
    slot: fc.bigInt(0n, 40_000n),
    index: fc.nat(32_767),
    side: fc.constantFrom('buy', 'sell'),
    base: fc.bigInt(1n, 1_000_000n),
    quote: fc.bigInt(1n, 1_000_000n),
  })
  .map(({ slot, index, ...one }) => {
    const id = tradeId({ slot, index, ordinal: 0 });
    if (id === null) throw new Error('no number');
    // Time follows the slot, as on the chain.
    return {
      ...one,
      id,
      at: 1_790_000_000 + Number(slot),
      price: exactPrice(one, DECIMALS),
      dust: isDust(one),
    };
  });
const trades = fc.uniqueArray(trade, { selector: ({ id }) => id, minLength: 1, maxLength: 40 });

it('makes the same bars of shorter bars as of the trades, at every resolution', () => {
  fc.assert(
    fc.property(trades, fc.constantFrom(...RESOLUTIONS), (all, resolution) => {
      const { minutes, perBar } = storedFor(resolution);
      expect(minutes * perBar).toBe(minutesOf(resolution));
      const folded = foldCandles(foldTrades(all, minutes), minutesOf(resolution));
      const whole = foldTrades(all, minutesOf(resolution));
      expect(folded).toEqual(whole);
      expect(folded.every((bar, at) => whole[at] !== undefined && isSameBar(bar, whole[at]))).toBe(true);
    }),
  );
});

it('counts every trade once, and takes no price from dust', () => {
  fc.assert(
    fc.property(trades, (all) => {
      const bars = foldTrades(all, 15);
      const sum = (of: readonly bigint[]): bigint => of.reduce((total, one) => total + one, 0n);
      expect(bars.reduce((n, bar) => n + bar.n, 0)).toBe(all.length);
      expect(sum(bars.map(({ base }) => base))).toBe(sum(all.map(({ base }) => base)));
      expect(sum(bars.map(({ buyQuote }) => buyQuote))).toBe(
        sum(all.filter(({ side }) => side === 'buy').map(({ quote }) => quote)),
      );
      const clean = new Set(all.filter(({ dust }) => !dust).map(({ price }) => price));
      for (const { prices } of bars)
        for (const price of prices === null ? [] : [prices.open, prices.high, prices.low, prices.close])
          expect(clean).toContain(price);
    }),
  );
});

it('tells bars apart that differ in one figure', () => {
  const [bar] = foldTrades(
    [{ id: 1n, at: 1_790_000_000, side: 'buy', base: 2_000n, quote: 4_000n, price: '2', dust: false }],
    1,
  );
  if (bar === undefined || bar.prices === null) throw new Error('no bar');
  expect(isSameBar(bar, { ...bar })).toBe(true);
  for (const change of [
    { t: 0 },
    { n: 2 },
    { base: 1n },
    { quote: 1n },
    { buyQuote: 1n },
    { prices: null },
    { prices: { ...bar.prices, low: '1' } },
    { prices: { ...bar.prices, closeId: 2n } },
  ])
    expect(isSameBar(bar, { ...bar, ...change })).toBe(false);
});
