import type { Candle } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import { pricesOver } from '../../../src/modules/market/rules/recent-change.ts';

const NOW = 1_700_000_100;
const bar = (t: number, open: string, close: string): Candle => ({
  t,
  prices: { open, high: open, low: close, close, openId: 1n, closeId: 2n },
  base: 1n,
  quote: 1n,
  buyQuote: 0n,
  n: 1,
});

describe('the price of some minutes ago', () => {
  it('is the close of the last bar that had ended by then', () => {
    const bars = [bar(NOW - 7_200, '1', '2'), bar(NOW - 4_000, '3', '4'), bar(NOW - 60, '5', '6')];
    expect(pricesOver(bars, 60, NOW)).toEqual({ now: '6', before: '4' });
    expect(pricesOver(bars, 5, NOW)).toEqual({ now: '6', before: '4' });
  });

  it('is the open of the bar that was running where no other is older', () => {
    expect(pricesOver([bar(NOW - 3_700, '3', '4')], 60, NOW)).toEqual({ now: '4', before: '3' });
  });

  it('is not known where no bar is that old, and there is none without a price', () => {
    expect(pricesOver([bar(NOW - 60, '5', '6')], 60, NOW)).toEqual({ now: '6', before: null });
    expect(pricesOver([{ ...bar(NOW - 7_200, '1', '2'), prices: null }], 60, NOW)).toBeNull();
    expect(pricesOver([], 60, NOW)).toBeNull();
  });
});
