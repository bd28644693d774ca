import { WSOL_MINT } from '@tradepost/solana';
import type { Candle } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import { createUsualPrice } from '../../../src/modules/guard/use/usual-price.ts';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { SOMEBODY } from '../tokens/build-token.ts';
import { TOKEN } from '../trading/build-pool.ts';

const NOW = 1_700_000_030;
const MINUTE = 60;
const THIS_MINUTE = NOW - (NOW % MINUTE);

const bar = (minutesAgo: number, close: string | null, open = close): Candle => ({
  t: THIS_MINUTE - minutesAgo * MINUTE,
  prices:
    close === null ? null : { open: open ?? close, high: close, low: close, close, openId: 1n, closeId: 2n },
  base: 1n,
  quote: 1n,
  buyQuote: 0n,
  n: 1,
});

const market = (id: number, more: Partial<Market> = {}): Market =>
  ({ id, baseMint: TOKEN, quoteMint: WSOL_MINT, baseDecimals: 6, ...more }) as Market;

async function priceOf(markets: readonly Market[], bars: ReadonlyMap<number, readonly Candle[]>) {
  const asked: { from: number; to: number }[] = [];
  const usual = createUsualPrice({
    clock: { now: () => NOW * 1_000 },
    markets: { ofMint: async () => markets },
    tape: {
      candlesOf: async (ids, minutes, range) => {
        expect(minutes).toBe(1);
        asked.push(range);
        return new Map([...bars].filter(([id]) => ids.includes(id)));
      },
    },
  });
  const rate = await usual(TOKEN);
  return { asked, perToken: rate === null ? null : Number(rate.got * 10n ** 6n) / Number(rate.given) / 1e9 };
}

describe('the price of the last hour', () => {
  it('is the middle of its minutes: what was pushed for less than half of it does not move it', async () => {
    const pushed = [bar(59, '2'), bar(29, '0.000001', '2'), bar(0, '0.000001')];
    expect((await priceOf([market(1)], new Map([[1, pushed]]))).perToken).toBe(2);
    // Thirty-one of sixty minutes.
    const longer = [bar(59, '2'), bar(30, '0.5'), bar(0, '0.5')];
    expect((await priceOf([market(1)], new Map([[1, longer]]))).perToken).toBe(0.5);
  });

  it('is exact to the last digit of a price, in lamports for the smallest unit', async () => {
    const { perToken, asked } = await priceOf([market(1)], new Map([[1, [bar(5, '0.00000012')]]]));
    expect(perToken).toBe(0.00000012);
    expect(asked).toEqual([{ from: THIS_MINUTE - 59 * MINUTE, to: NOW + 1 }]);
  });

  it('is what the first market of the pair says that traded, and only markets against SOL count', async () => {
    const dollars = market(1, { quoteMint: SOMEBODY });
    const other = market(2, { baseMint: WSOL_MINT, quoteMint: TOKEN });
    const bars = new Map([1, 2, 3, 4, 5].map((id) => [id, id === 3 ? [bar(1, null)] : [bar(1, String(id))]]));
    expect((await priceOf([dollars, other, market(3), market(4), market(5)], bars)).perToken).toBe(4);
  });

  it('is not known where nothing was traded, or nobody records it', async () => {
    expect((await priceOf([], new Map())).perToken).toBeNull();
    expect((await priceOf([market(1)], new Map())).perToken).toBeNull();
    expect((await priceOf([market(1)], new Map([[1, [bar(3, null)]]]))).perToken).toBeNull();
    expect((await priceOf([market(1)], new Map([[1, [bar(3, '0')]]]))).perToken).toBeNull();
  });
});
