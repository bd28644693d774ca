import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

const MINUTE = 60;
const HOUR = 3_600;
const TV = '/v1/trade-history/tv';
const RESOLUTIONS = ['1', '3', '5', '15', '30', '60', '120', '180', '240', '1D'];

let rig: MarketRig;
let app: FastifyInstance;
let pup: Market;
let second: Market;
beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** A price that rises by a tenth each minute for two hours, up to noon. */
beforeEach(async () => {
  await rig.reset();
  app = rig.host({ kind: 'charts' });
  [pup] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
  [second] = (await newMarkets(rig.markets, ['PUP'], {
    baseMint: pup.baseMint,
    quoteMint: pup.quoteMint,
  })) as [Market];
  const trades = Array.from({ length: 120 }, (_, n) =>
    tradeAt(pup.id, NOW - (120 - n) * MINUTE, { quote: 100_000_000n + BigInt(n) * 10_000_000n }),
  );
  await rig.tape.append({ trades, live: [] });
});

const get = async <T = Record<string, unknown>>(path: string): Promise<T> => {
  const answer = await app.inject(`${TV}${path}`);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  return answer.json<T>();
};
type Bars = {
  s: string;
  t: number[];
  o: number[];
  h: number[];
  l: number[];
  c: number[];
  v: number[];
  nextTime?: number;
};
const history = (changes: Record<string, string | number> = {}) =>
  get<Bars>(
    `/history?${new URLSearchParams(
      Object.entries({ symbol: 'PUP/USDX', from: NOW - 2 * HOUR, to: NOW, resolution: '1', ...changes }).map(
        ([name, value]) => [name, String(value)],
      ),
    )}`,
  );

describe('the charting datafeed', () => {
  it('has the types and the values of the specification', async () => {
    expect(await get('/config')).toMatchObject({
      supported_resolutions: RESOLUTIONS,
      supports_group_request: false,
      supports_marks: false,
      supports_search: true,
      supports_timescale_marks: false,
    });
    expect(await get('/symbols?symbol=PUP')).toMatchObject({
      name: 'PUP/USDX',
      ticker: 'PUP/USDX',
      description: expect.any(String) as string,
      type: 'Spot',
      session: '24x7',
      exchange: expect.any(String) as string,
      listed_exchange: expect.any(String) as string,
      timezone: 'Etc/UTC',
      has_intraday: true,
      supported_resolutions: RESOLUTIONS,
      minmov: 1,
      // 12.9 has five significant digits with three after the point.
      pricescale: 1_000,
    });
    const numbers = z.array(z.number()).length(120);
    z.object({
      s: z.literal('ok'),
      t: numbers,
      o: numbers,
      h: numbers,
      l: numbers,
      c: numbers,
      v: numbers,
    }).parse(await history());
    expect(await get<number>('/time')).toBe(NOW);
  });

  it('gives bars that begin in the range, ascending, at their beginning', async () => {
    const bars = await history({ from: NOW - 10 * MINUTE, to: NOW - 5 * MINUTE });
    expect(bars.t).toEqual([10, 9, 8, 7, 6].map((n) => NOW - n * MINUTE));
    expect(bars.o).toEqual([12, 12.1, 12.2, 12.3, 12.4]);
    expect(bars.v[0]).toBe(100);
  });

  it.each(RESOLUTIONS)('folds %s out of the same trades', async (resolution) => {
    const seconds = resolution === '1D' ? 86_400 : Number(resolution) * MINUTE;
    const { s, t, o, c, v } = await history({ resolution, from: NOW - 86_400 });
    expect(s).toBe('ok');
    expect(t.every((at) => at % seconds === 0)).toBe(true);
    expect([o[0], c.at(-1), v.reduce((sum, one) => sum + one, 0)]).toEqual([1, 12.9, 12_000]);
    expect(t.length).toBe(Math.ceil((NOW - (t[0] ?? 0)) / seconds));
  });

  it('counts back from the end, whatever the beginning says', async () => {
    expect((await history({ countback: 3, from: NOW - MINUTE })).t).toEqual(
      [3, 2, 1].map((n) => NOW - n * MINUTE),
    );
    expect((await history({ countback: 2, resolution: '30' })).t).toEqual([NOW - HOUR, NOW - HOUR / 2]);
  });

  it('says where the next bar is when there is none', async () => {
    const empty = { from: NOW + HOUR, to: NOW + 2 * HOUR };
    expect(await history(empty)).toEqual({ s: 'no_data', nextTime: NOW - MINUTE });
    expect(await history({ ...empty, resolution: 'D' })).toEqual({
      s: 'no_data',
      nextTime: NOW - (NOW % 86_400),
    });
    expect(await history({ from: -9_999_999_999, to: 1_000 })).toEqual({ s: 'no_data' });
  });

  it('finds a market by name, ticker and address, and the primary one where several share it', async () => {
    for (const symbol of ['PUP/USDX', 'PUP', 'pup', pup.address])
      expect((await history({ symbol })).t).toHaveLength(120);
    expect(await history({ symbol: second.address })).toEqual({ s: 'no_data' });
    expect((await get(`/symbols?symbol=${second.address}`))['ticker']).toBe(second.address);
    expect(await get<unknown[]>('/search?query=pu&limit=5')).toMatchObject([
      { symbol: 'PUP/USDX', ticker: 'PUP/USDX' },
    ]);
    expect(await get<unknown[]>('/search?query=%25')).toEqual([]);
  });

  it('may be kept long when the range is over', async () => {
    const ages = async (to: number) =>
      (await app.inject(`${TV}/history?symbol=PUP&from=${to - HOUR}&to=${to}&resolution=1`)).headers[
        'cache-control'
      ];
    expect(await ages(NOW - HOUR)).toContain('max-age=3600');
    expect(await ages(NOW)).toContain('max-age=1,');
    await rig.tape.markGap(pup.id, 3n);
    rig.advance(31);
    expect(await ages(NOW - HOUR)).toContain('max-age=1,');
  });

  it.each([
    ['/symbols', 'symbol'],
    ['/symbols?symbol=', 'symbol'],
    ['/symbols?symbol=%20', 'symbol'],
    ['/symbols?symbol=A/B/C', 'unknown symbol'],
    ['/symbols?symbol=~', 'unknown symbol'],
    ['/symbols?symbol=%F0%9F%90%B6', 'unknown symbol'],
    ['/symbols?symbol=%E2%80%AEPUP', 'unknown symbol'],
    ['/symbols?symbol=PUP&symbol=CAT', 'symbol'],
    [`/symbols?symbol=${'x'.repeat(2_000)}`, 'symbol'],
    ['/history?symbol=PUP&from=NaN&to=5&resolution=1', 'from'],
    ['/history?symbol=PUP&from=1&to=1e18&resolution=1', 'to'],
    ['/history?symbol=PUP&from=1&to=1000000000000000000&resolution=1', 'to'],
    ['/history?symbol=PUP&from=9&to=5&resolution=1', 'to'],
    ['/history?symbol=PUP&from=1&to=5&resolution=7', 'resolution'],
    ['/history?symbol=PUP&from=1&to=5&resolution=1d', 'resolution'],
    ['/history?symbol=PUP&from=1&to=5', 'resolution'],
    ['/history?symbol=PUP&from=1&to=5&resolution=1&countback=1e9', 'countback'],
    ['/history?symbol=PUP&from=1&to=5&resolution=1&countback=1000000000', 'countback'],
    ['/history?symbol=PUP&from=1&to=5&resolution=1&countback=0', 'countback'],
    ['/search?query=a&limit=0', 'limit'],
  ])('answers %s with an error that ends the asking', async (path, about) => {
    const answer = await get(path);
    expect(answer).toEqual({ s: 'error', errmsg: expect.stringContaining(about) as string });
  });

  it('takes fields that charting libraries add', async () => {
    expect((await history({ currencyCode: 'USD', firstDataRequest: 'true' })).s).toBe('ok');
  });

  it('is on the open host too, with an allowance of its own, and not on the keyed one', async () => {
    const open = rig.host({ kind: 'open', ratePerSecond: 1, burst: 2 });
    const codes = await Promise.all(
      Array.from({ length: 101 }, async () => (await open.inject(`${TV}/time`)).statusCode),
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(100);
    expect(codes.filter((code) => code === 429)).toHaveLength(1);
    expect((await open.inject('/v1/pairs')).statusCode).toBe(200);
    expect((await app.inject('/v1/pairs')).statusCode).toBe(404);
    expect((await app.inject('/images')).statusCode).toBe(404);
    expect((await app.inject('/docs')).statusCode).toBe(200);
  });
});
