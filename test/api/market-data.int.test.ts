import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { TapeTrade } from '@tradepost/tape';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { freshAddress, newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';
import { v1Shapes } from './v1-shapes.ts';

const HOUR = 3_600;
const DAY = 86_400;

let rig: MarketRig;
let app: FastifyInstance;
let pup: Market;
let cat: Market;
let idle: Market;
let trades: Readonly<Record<'dayOld' | 'buy' | 'sell' | 'dust' | 'cat', TapeTrade>>;

beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** A market that is days old, one of an hour, and one that never traded. */
beforeEach(async () => {
  await rig.reset();
  app = rig.host();
  const found = await newMarkets(rig.markets, ['PUP', 'CAT', 'IDLE']);
  [pup, cat, idle] = found as [Market, Market, Market];
  trades = {
    dayOld: tradeAt(pup.id, NOW - DAY - HOUR, { quote: 120_000_000n }),
    buy: tradeAt(pup.id, NOW - 2 * HOUR, { quote: 150_000_000n, base: 100_000_001n }),
    sell: tradeAt(pup.id, NOW - HOUR, { side: 'sell', quote: 90_000_000n, fee: null, feeSource: 'unknown' }),
    dust: tradeAt(pup.id, NOW - 60, { base: 7n, quote: 700n }),
    cat: tradeAt(cat.id, NOW - 1_800, { base: 1_000_000_000_000_000n, quote: 1_234n }),
  };
  await rig.tape.append({ trades: Object.values(trades), live: [] });
  await rig.tape.moveWindows(NOW);
});

const get = (url: string, headers: Record<string, string> = {}, on = app) => on.inject({ url, headers });
const data = async <T = Record<string, unknown>>(url: string): Promise<T> => {
  const answer = await get(url);
  expect([url, answer.statusCode, answer.json<{ success: unknown }>().success]).toEqual([url, 200, true]);
  return answer.json<{ data: T }>().data;
};
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();
const byAddress = <T extends { readonly address?: string; readonly marketAddress?: string }>(
  rows: readonly T[],
) => new Map(rows.map((row) => [row.address ?? row.marketAddress, row]));

const SHAPES = v1Shapes({ traded: 2, lately: 3, known: 3 });
const PATHS = Object.keys(SHAPES);
const at = (path: string, address: string = pup.address) => path.replace(':address', address);

describe('every path of /v1', () => {
  it.each(PATHS)('%s has the types of the specification', async (path) => {
    SHAPES[path]?.parse(await data(at(path)));
  });

  it.each(PATHS)('%s says that it is deprecated, and by what it is replaced', async (path) => {
    const { headers } = await get(at(path));
    // RFC 9745: a Date of RFC 9651, `@` and seconds.
    expect(headers['deprecation']).toBe('@1767225600');
    expect(headers['sunset']).toBeUndefined();
    expect(headers['link']).toContain('</docs#market-data>; rel="deprecation"; type="text/html"');
    expect(headers['link']).toMatch(/<\/markets[^>]*>; rel="successor-version"/);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).toMatch(/^public, max-age=\d+, stale-while-revalidate=30$/);
    expect(headers['vary']).toBe('accept-encoding');
  });

  it.each(PATHS.filter((path) => !path.includes('orderbooks')))(
    '%s answers 304 to whoever has it',
    async (path) => {
      const first = await get(at(path));
      const etag = String(first.headers['etag']);
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const tag of [etag, `"other", W/${etag}`, '*']) {
        const again = await get(at(path), { 'if-none-match': tag });
        expect([path, again.statusCode, again.body]).toEqual([path, 304, '']);
      }
      expect((await get(at(path), { 'if-none-match': '"other"' })).statusCode).toBe(200);
    },
  );

  it.each(PATHS.filter((path) => path.includes(':address')))('%s refuses what is no market', async (path) => {
    const refusal = async (url: string) => {
      // Order books have a limit of their own.
      rig.advance(1);
      const answer = await get(url);
      const { success, error } = answer.json<{
        success: boolean;
        error: { code: string; field?: string; message: string };
      }>();
      return [answer.statusCode, success, error.code, error.field, error.message] as const;
    };
    for (const bad of [
      'abc',
      pup.address.slice(0, -12),
      `${pup.address}x1`,
      '%00',
      `${pup.address}%00`,
      "'",
      '🐶',
      'x'.repeat(10_000),
    ])
      expect((await refusal(at(path, encodeURI(bad).replaceAll('%25', '%')))).slice(0, 4)).toEqual([
        400,
        false,
        'ADDRESS_INVALID',
        'address',
      ]);
    expect((await refusal(at(path, freshAddress()))).slice(0, 4)).toEqual([
      404,
      false,
      'MARKET_NOT_FOUND',
      'address',
    ]);
    const ofMint = await refusal(at(path, pup.baseMint));
    expect(ofMint.slice(0, 4)).toEqual([404, false, 'MARKET_NOT_FOUND', 'address']);
    expect(ofMint[4]).toContain(pup.address);
    expect((await refusal(`${at(path)}?address=${cat.address}`)).slice(0, 4)).toEqual([
      400,
      false,
      'FIELD_UNKNOWN',
      'address',
    ]);
  });

  it.each(PATHS)('%s refuses unknown and repeated fields', async (path) => {
    for (const query of ['foo=1', 'limit=1&limit=2&foo=2', '__proto__=1']) {
      const answer = await get(`${at(path)}?${query}`);
      expect([path, query, answer.statusCode]).toEqual([path, query, 400]);
      expect(answer.json<{ success: boolean }>().success).toBe(false);
    }
  });

  it.each(PATHS)('%s takes GET and HEAD alone', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const answer = await app.inject({ method, url: at(path) });
      expect([path, method, answer.statusCode, answer.headers['allow']]).toEqual([
        path,
        method,
        405,
        'GET, HEAD',
      ]);
    }
  });

  it('is 503 with a time to wait before anything was read', async () => {
    await rig.reset();
    app = rig.host();
    for (const path of PATHS) {
      const answer = await get(at(path));
      expect([path, answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
        path,
        503,
        'INDEX_BEHIND',
      ]);
      expect(answer.headers['retry-after']).toBe('5');
    }
  });

  it('names an end when the operator has set one', async () => {
    const deprecation = { deprecatedAt: Date.UTC(2026, 0, 1), sunsetAt: Date.UTC(2027, 11, 31) };
    const { headers } = await get('/v1/pairs', {}, rig.host(undefined, { deprecation }));
    expect(headers['sunset']).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
  });

  it('stands in the document of both hosts as deprecated', async () => {
    const paths = (await get('/openapi.json')).json<{
      paths: Record<string, { get?: { deprecated?: boolean } }>;
    }>().paths;
    for (const path of PATHS)
      expect([path, paths[path.replace(':address', '{address}')]?.get?.deprecated]).toEqual([path, true]);
    for (const name of ['config', 'symbols', 'history'])
      expect(paths[`/v1/trade-history/tv/${name}`]?.get?.deprecated).toBe(true);
  });
});

describe('what the lists say', () => {
  it('prices are of the last trade that is no dust', async () => {
    const rows = byAddress(await data<{ marketAddress: string }[]>('/v1/prices'));
    expect(rows.get(idle.address)).toBeUndefined();
    expect(rows.get(pup.address)).toEqual({
      price: '0.9000000000',
      market: 'PUP/USDX',
      time: iso(NOW - HOUR),
      marketAddress: pup.address,
      priceExact: '0.9',
      usdPrice: null,
      liquidityUsd: null,
    });
    expect(rows.get(cat.address)).toMatchObject({ price: '0.0000000000', priceExact: '0.000000000001234' });
    expect(await data(`/v1/prices/${pup.address}/last`)).toEqual(rows.get(pup.address));
  });

  it('changes are against the price of a day before, or the first one', async () => {
    const rows = byAddress(await data<{ marketAddress: string }[]>('/v1/prices/recent'));
    expect(rows.get(pup.address)).toEqual({
      price: '0.9000000000',
      price24hAgo: '1.2000000000',
      change: '-0.3000000000',
      changePercent: -25,
      market: 'PUP/USDX',
      marketAddress: pup.address,
      time: iso(NOW - HOUR),
      time24hAgo: iso(NOW - DAY - HOUR),
      partial: false,
    });
    expect(rows.get(cat.address)).toMatchObject({ change: '0.0000000000', changePercent: 0, partial: true });
  });

  it('the closing price is a day old, that of the first trade in a young market, or 404', async () => {
    expect(await data(`/v1/prices/${pup.address}/closing-price`)).toMatchObject({
      price: '1.2000000000',
      time: iso(NOW - DAY - HOUR),
    });
    const young = await data<{ price: string }>(`/v1/prices/${cat.address}/closing-price`);
    const last = await data<{ price: string }>(`/v1/prices/${cat.address}/last`);
    expect(young.price).toBe(last.price);
    const answer = await get(`/v1/prices/${idle.address}/closing-price`);
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      404,
      'NO_TRADES',
    ]);
    expect((await get(`/v1/prices/${idle.address}/last`)).statusCode).toBe(404);
  });

  it('trades are told to the unit', async () => {
    const rows = await data<Record<string, unknown>[]>(`/v1/trades/${pup.address}/24h`);
    expect(rows.map(({ orderId }) => orderId)).toEqual(
      [trades.dust, trades.sell, trades.buy].map(({ id }) => id.toString()),
    );
    expect(rows[1]).toMatchObject({ side: 'sell', feeCost: '0', feeSource: 'unknown', quoteSize: '90' });
    const { createdAt, ...rest } = rows[2] ?? {};
    expect(rest).toEqual({
      id: Number(trades.buy.id),
      price: '1.4999999850',
      size: '100.000001',
      market: 'PUP/USDX',
      side: 'buy',
      time: iso(NOW - 2 * HOUR),
      orderId: trades.buy.id.toString(),
      feeCost: '0.45',
      marketAddress: pup.address,
      priceExact: '1.49999998500000014',
      quoteSize: '150',
      signature: trades.buy.signature,
      slot: Number(trades.buy.id >> 21n),
      trader: trades.buy.trader,
      sealed: false,
      feeSource: 'rate',
    });
    expect(typeof createdAt).toBe('string');
    expect(await data(`/v1/trades/${pup.address}/last`)).toEqual(rows.slice(0, 1));
    expect(await data(`/v1/trades/${idle.address}/last`)).toEqual([]);
    expect(byAddress(await data<{ marketAddress: string }[]>('/v1/trades')).get(pup.address)).toEqual(
      rows[0],
    );
  });

  it('the older path of trades is the newer one, byte for byte, and says so', async () => {
    const [newer, older] = [
      await get(`/v1/trades/${pup.address}/24h`),
      await get(`/v1/trades/${pup.address}/all`),
    ];
    expect(older.rawPayload).toEqual(newer.rawPayload);
    expect(older.headers['link']).toContain(`</v1/trades/${pup.address}/24h>; rel="canonical"`);
    expect(newer.headers['link']).not.toContain('canonical');
  });

  it('volumes are quote tokens of the day, buys and sells apart', async () => {
    const rows = byAddress(await data<{ address: string }[]>('/v1/volumes'));
    const summary = {
      totalVolume: 240.0007,
      sellVolume: 90,
      buyVolume: 150.0007,
      highPrice: '1.49999998500000014',
      lowPrice: '0.9',
    };
    expect(rows.get(pup.address)).toEqual({
      name: 'PUP/USDX',
      address: pup.address,
      programId: pup.programId,
      ...summary,
      baseVolume: 200.000008,
      trades: 3,
      volumeUsd: null,
    });
    expect(rows.get(idle.address)).toMatchObject({ totalVolume: 0, highPrice: '0', trades: 0 });
    expect(await data(`/v1/volumes/${pup.address}`)).toEqual({
      market_name: 'PUP/USDX',
      address: pup.address,
      programId: pup.programId,
      price: 0.9,
      summary,
      last24hOrder: { exist: true, time: iso(NOW - DAY - HOUR), price: '1.2', percent: -25 },
    });
    expect(await data(`/v1/volumes/${cat.address}`)).toMatchObject({
      last24hOrder: { exist: false, time: iso(0), price: '0', percent: 0 },
    });
  });

  it('pairs name every market, its gap and whether the name alone means it', async () => {
    await rig.tape.markGap(cat.id, 5n);
    rig.advance(31);
    const rows = byAddress(await data<{ address: string }[]>('/v1/pairs'));
    expect(rows.get(pup.address)).toEqual({
      market: 'PUP/USDX',
      coin: 'PUP',
      priceCurrency: 'USDX',
      address: pup.address,
      baseMint: pup.baseMint,
      quoteMint: pup.quoteMint,
      programId: pup.programId,
      venue: 'desk',
      primary: true,
      verified: false,
      liquidityUsd: null,
      gap: false,
    });
    expect([...rows.values()].map((row) => (row as { gap?: boolean }).gap).filter(Boolean)).toHaveLength(1);
  });
});

describe('what replaces it', () => {
  const plain = async <T = Record<string, unknown>>(url: string): Promise<T> => {
    const answer = await get(url);
    expect([url, answer.statusCode, answer.headers['deprecation']]).toEqual([url, 200, undefined]);
    return answer.json<{ data: T }>().data;
  };

  it('has the same records, wrapped as everything else', async () => {
    const all = byAddress(await plain<{ address: string }[]>('/markets'));
    expect(all.get(pup.address)).toMatchObject({
      price: '0.9000000000',
      changePercent: -25,
      totalVolume: 240.0007,
      partial: false,
    });
    expect(all.get(idle.address)).toMatchObject({
      price: null,
      changePercent: null,
      trades: 0,
      highPrice: '0',
    });
    expect(await plain(`/markets/${pup.address}`)).toEqual(all.get(pup.address));
    const older = await plain<{ orderId: string }[]>(`/markets/${pup.address}/trades`);
    expect(older.map(({ orderId }) => orderId)).toEqual(
      [trades.dust, trades.sell, trades.buy, trades.dayOld].map(({ id }) => id.toString()),
    );
    expect(await plain(`/markets/${pup.address}/book?depth=3`)).toMatchObject({ bids: [], synthetic: true });
  });

  it('gives bars as exact decimals', async () => {
    const bars = await plain<Record<string, unknown>[]>(`/markets/${pup.address}/candles?limit=2`);
    expect(bars).toHaveLength(2);
    expect(bars[1]).toEqual({
      t: NOW - HOUR,
      open: '0.9',
      high: '0.9',
      low: '0.9',
      close: '0.9',
      baseVolume: '100.000007',
      quoteVolume: '90.0007',
      buyVolume: '0.0007',
      trades: 2,
    });
    expect(await plain(`/markets/${pup.address}/candles?from=${NOW}`)).toEqual([]);
  });

  it.each([
    ['resolution=7', 'RESOLUTION_INVALID'],
    ['resolution=1d', 'RESOLUTION_INVALID'],
    ['from=NaN', 'TIME_INVALID'],
    ['to=1e18', 'TIME_INVALID'],
    ['from=9&to=5', 'TIME_INVALID'],
    ['limit=0', 'LIMIT_INVALID'],
    ['limit=1001', 'LIMIT_INVALID'],
  ])('refuses bars with %s', async (query, code) => {
    const answer = await get(`/markets/${pup.address}/candles?${query}`);
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, code]);
  });
});

describe('paging and filters', () => {
  it('walks all markets by the Link header, each once', async () => {
    const seen: string[] = [];
    let url: string | undefined = '/v1/pairs?limit=1';
    while (url !== undefined) {
      const answer = await get(url);
      seen.push(...answer.json<{ data: { address: string }[] }>().data.map(({ address }) => address));
      url = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link']))?.[1];
    }
    expect(seen).toEqual([pup, cat, idle].map(({ address }) => address).toSorted());
  });

  it('walks trades from the newest to the oldest', async () => {
    const first = await get(`/v1/trades/${pup.address}/24h?limit=2`);
    expect(first.json<{ data: { orderId: string }[] }>().data.map(({ orderId }) => orderId)).toEqual(
      [trades.dust, trades.sell].map(({ id }) => id.toString()),
    );
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '';
    const second = await get(next);
    expect(second.json<{ data: { orderId: string }[] }>().data.map(({ orderId }) => orderId)).toEqual([
      trades.buy.id.toString(),
    ]);
    expect(second.headers['link']).not.toContain('rel="next"');
  });

  it('filters by mints and by the time of the last trade', async () => {
    const count = async (query: string) => (await data<unknown[]>(`/v1/pairs?${query}`)).length;
    expect(await count(`base=${pup.baseMint}`)).toBe(1);
    expect(await count(`quote=${pup.quoteMint}`)).toBe(3);
    expect(await count(`base=${freshAddress()}`)).toBe(0);
    expect(await count(`since=${iso(NOW - 100)}`)).toBe(1);
    expect((await data<unknown[]>(`/v1/trades/${pup.address}/24h?since=${iso(NOW - HOUR)}`)).length).toBe(2);
  });

  it.each([
    ['limit=0', 'limit', 'LIMIT_INVALID'],
    ['limit=-1', 'limit', 'LIMIT_INVALID'],
    ['limit=1e9', 'limit', 'LIMIT_INVALID'],
    ['limit=1001', 'limit', 'LIMIT_INVALID'],
    ['limit=abc', 'limit', 'LIMIT_INVALID'],
    ['limit=', 'limit', 'LIMIT_INVALID'],
    ['limit=1&limit=2', 'limit', 'LIMIT_INVALID'],
    ['cursor=abc', 'cursor', 'CURSOR_INVALID'],
    [`cursor=${Buffer.from('["/v1/prices","x"]').toString('base64url')}`, 'cursor', 'CURSOR_INVALID'],
    [
      `cursor=${Buffer.from('["/v1/pairs","not an address"]').toString('base64url')}`,
      'cursor',
      'CURSOR_INVALID',
    ],
    [`cursor=${Buffer.from('["trades","-1"]').toString('base64url')}`, 'cursor', 'CURSOR_INVALID'],
    ['cursor=', 'cursor', 'CURSOR_INVALID'],
    ['since=yesterday', 'since', 'TIME_INVALID'],
    ['since=2026-13-45T00:00:00Z', 'since', 'TIME_INVALID'],
  ])('refuses %s', async (query, field, code) => {
    for (const path of ['/v1/pairs', `/v1/trades/${pup.address}/24h`]) {
      const answer = await get(`${path}?${query}`);
      const { error } = answer.json<{ error: { code: string; field?: string } }>();
      expect([path, answer.statusCode, error.code, error.field]).toEqual([path, 400, code, field]);
    }
  });
});

describe('encodings', () => {
  it('of whole lists are made before, each with a tag of its own', async () => {
    const plain = await get('/v1/volumes');
    const gzip = await get('/v1/volumes', { 'accept-encoding': 'gzip' });
    const br = await get('/v1/volumes', { 'accept-encoding': 'gzip, deflate, br' });
    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      'br',
    ]);
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload);
    expect(brotliDecompressSync(br.rawPayload)).toEqual(plain.rawPayload);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers['etag'])).size).toBe(3);
    expect(plain.headers['x-data-as-of']).toMatch(/^20/);
    const refused = await get('/v1/volumes', { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('a list is read anew after a trade, and is never older than 30 s', async () => {
    const times = async () => (await get('/v1/trades')).headers['x-data-as-of'];
    const before = await times();
    rig.advance(29);
    expect(await times()).toBe(before);
    rig.advance(2);
    expect(await times()).not.toBe(before);
  });
});
