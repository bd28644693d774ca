import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../../src/compose/api-deps.ts';
import { createIpBlocks } from '../../src/modules/keys/store/ip-blocks.ts';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

let rig: MarketRig;
let pup: Market;
beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.reset();
  for (const { client } of await rig.ipBlocks.list()) await rig.ipBlocks.lift(client);
  [pup] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
});

/** A constant product of 1,000,000 base and 1,500,000 quote tokens with a fee of 0.3 %. */
const RESERVES = { base: 1_000_000_000_000n, quote: 1_500_000_000_000n };
function offerProduct(): void {
  const sides = (mintIn: string) =>
    mintIn === pup.baseMint
      ? ([RESERVES.base, RESERVES.quote] as const)
      : ([RESERVES.quote, RESERVES.base] as const);
  rig.offer(
    pup,
    (mintIn, amountIn) => {
      const [x, y] = sides(mintIn);
      const fed = (amountIn * 997n) / 1_000n;
      return (y * fed) / (x + fed);
    },
    (mintIn) => {
      const [x, y] = sides(mintIn);
      return { numerator: y * 997n, denominator: x * 1_000n };
    },
  );
}

type Level = { readonly price: number; readonly size: number };
type Book = {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly lastOrderPrice: number;
  readonly synthetic: boolean;
};

describe('the book of a pool', () => {
  const load = async (query = ''): Promise<Book> =>
    (await rig.host().inject(`/v1/orderbooks/${pup.address}${query}`)).json<{ data: Book }>().data;

  it('adds up to the pool’s own quotes, to the unit', async () => {
    offerProduct();
    const { bids, asks, synthetic } = await load();
    expect([synthetic, bids.length, asks.length]).toEqual([true, 50, 50]);
    const units = (tokens: number) => BigInt(Math.round(tokens * 1e6));
    let [sold, got] = [0n, 0n];
    for (const { price, size } of bids) {
      sold += units(size);
      got += units(price * size);
    }
    const fed = (sold * 997n) / 1_000n;
    expect(Number(got - (RESERVES.quote * fed) / (RESERVES.base + fed))).toBeLessThan(2);
    const sorted = (levels: readonly Level[], sign: number) =>
      levels.every(({ price }, n) => n === 0 || sign * (price - (levels[n - 1]?.price ?? 0)) >= 0);
    expect([sorted(bids, -1), sorted(asks, 1)]).toEqual([true, true]);
    expect(bids[0]?.price ?? 9).toBeLessThan(asks[0]?.price ?? 0);
    // The marginal price moves by 5 %, the average of the last step by a little less.
    expect((bids.at(-1)?.price ?? 0) / 1.5).toBeGreaterThan(0.945);
    expect((bids.at(-1)?.price ?? 0) / 1.5).toBeLessThan(0.96);
  });

  it('has as many levels as asked for, and says the last price', async () => {
    offerProduct();
    await rig.tape.append({ trades: [tradeAt(pup.id, NOW - 5)], live: [] });
    expect((await load('?depth=1')).bids).toHaveLength(1);
    const deep = await load('?depth=200');
    expect([deep.bids.length, deep.asks.length, deep.lastOrderPrice]).toEqual([200, 200, 1.5]);
  });

  it('is empty where the pool does not trade or gives nothing', async () => {
    expect(await load()).toMatchObject({ bids: [], asks: [], lastOrderPrice: 0 });
    rig.offer(
      pup,
      () => 0n,
      () => ({ numerator: 0n, denominator: 1n }),
    );
    rig.advance(2);
    expect(await load()).toMatchObject({ bids: [], asks: [] });
  });

  it.each(['depth=0', 'depth=201', 'depth=-1', 'depth=1e2', 'depth=x', 'depth='])(
    'refuses %s',
    async (query) => {
      const answer = await rig.host().inject(`/v1/orderbooks/${pup.address}?${query}`);
      expect([
        answer.statusCode,
        answer.json<{ error: { code: string; field: string } }>().error,
      ]).toMatchObject([400, { code: 'DEPTH_INVALID', field: 'depth' }]);
    },
  );
});

describe('the block of an address', () => {
  const PUBLIC = '203.0.113.9';
  const SLOW: Host = { kind: 'open', ratePerSecond: 1, burst: 2 };
  const book = () => `/v1/orderbooks/${pup.address}`;
  type App = ReturnType<MarketRig['host']>;
  const ask = async (app: App, url: string, from: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, remoteAddress: from, headers });
    return [answer.statusCode, answer.json<{ error?: { code: string } }>().error?.code] as const;
  };
  /** Slowly enough for the limit of a second. */
  const askTimes = async (app: App, times: number, from = PUBLIC, headers: Record<string, string> = {}) => {
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < times; n += 1) {
      codes.push((await ask(app, book(), from, headers))[1]);
      rig.advance(0.2);
    }
    return codes;
  };

  it('comes with the 121st call in a minute, though the host refused most of them, and stays', async () => {
    const app = rig.host(SLOW);
    const codes = await askTimes(app, 121);
    expect(new Set(codes.slice(0, 120))).toEqual(new Set([undefined, 'RATE_LIMITED']));
    expect(codes[120]).toBe('IP_BLOCKED');
    rig.advance(86_400);
    for (const url of [book(), '/v1/pairs', '/v1/trade-history/tv/config'])
      expect([url, ...(await ask(app, url, PUBLIC))]).toEqual([url, 403, 'IP_BLOCKED']);
    // Another process, or this one started again.
    expect(await ask(rig.host(SLOW), '/v1/pairs', PUBLIC)).toEqual([403, 'IP_BLOCKED']);
    expect(await ask(app, '/v1/pairs', '203.0.113.10')).toEqual([200, undefined]);
    // Trading goes on.
    expect((await ask(app, '/dex/quote', PUBLIC))[0]).toBe(400);
    expect(await rig.ipBlocks.list()).toMatchObject([
      { client: PUBLIC, reason: 'order books: more than 120 in a minute' },
    ]);
  });

  it('comes with the 11th call in a second', async () => {
    const app = rig.host();
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 11; n += 1) codes.push((await ask(app, book(), PUBLIC))[1]);
    expect(codes.slice(-2)).toEqual([undefined, 'IP_BLOCKED']);
  });

  it('is counted for the /64 of an IPv6 address', async () => {
    const app = rig.host();
    for (let n = 0; n < 11; n += 1) await ask(app, book(), `2001:db8:1:2::${n + 1}`);
    expect(await ask(app, '/v1/pairs', '2001:db8:1:2:ffff::1')).toEqual([403, 'IP_BLOCKED']);
    expect(await ask(app, '/v1/pairs', '2001:db8:1:3::1')).toEqual([200, undefined]);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.9.9',
    '100.64.3.4',
    '::ffff:10.1.2.3',
    'fd00::5',
    'fe80::5',
  ])('never hits %s, which may be many people', async (from) => {
    const app = rig.host();
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 12; n += 1) codes.push((await ask(app, book(), from))[1]);
    expect(codes.slice(-2)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    expect(await rig.ipBlocks.list()).toEqual([]);
  });

  it('never hits a proxy that was forgotten, and hits who is behind a trusted one', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.7' };
    const careless = rig.host();
    for (let n = 0; n < 12; n += 1) await ask(careless, book(), PUBLIC, forwarded);
    expect(await rig.ipBlocks.list()).toEqual([]);
    const careful = rig.host(undefined, {}, [PUBLIC]);
    for (let n = 0; n < 12; n += 1) await ask(careful, book(), PUBLIC, forwarded);
    expect(await rig.ipBlocks.list()).toMatchObject([{ client: '198.51.100.7' }]);
    // The proxy itself, asking for itself.
    for (let n = 0; n < 12; n += 1) await ask(careful, book(), PUBLIC);
    expect(await rig.ipBlocks.list()).toHaveLength(1);
  });

  it('heals when it is lifted, with empty counters', async () => {
    const app = rig.host();
    for (let n = 0; n < 11; n += 1) await ask(app, book(), PUBLIC);
    await rig.ipBlocks.lift(PUBLIC);
    rig.advance(6);
    expect(await askTimes(app, 30)).not.toContain('IP_BLOCKED');
  });

  it('covers the whole host, or nobody, where the operator says so', async () => {
    const limits = { perSecond: 10, perMinute: 120, contact: 'desk@example.org' } as const;
    const whole = rig.host(undefined, { orderBookLimits: { ...limits, blocks: 'host' } });
    for (let n = 0; n < 11; n += 1) await ask(whole, book(), PUBLIC);
    expect(await ask(whole, '/dex/quote', PUBLIC)).toEqual([403, 'IP_BLOCKED']);
    expect((await whole.inject({ url: book(), remoteAddress: PUBLIC })).body).toContain('desk@example.org');
    const off = rig.host(undefined, { orderBookLimits: { ...limits, blocks: 'off' } });
    for (let n = 0; n < 12; n += 1) await ask(off, book(), PUBLIC);
    expect(await ask(off, '/v1/pairs', PUBLIC)).toEqual([200, undefined]);
  });

  it('is kept in Postgres with its first reason', async () => {
    const db = await createPrismaDatabase({ url: await createTestDatabase() });
    try {
      const blocks = db.open(createIpBlocks);
      const first = { client: PUBLIC, since: NOW * 1_000, reason: 'one' };
      await blocks.add(first);
      await blocks.add({ ...first, since: 1, reason: 'two' });
      expect(await db.open(createIpBlocks).list()).toEqual([first]);
      expect([await blocks.lift(PUBLIC), await blocks.lift(PUBLIC), await blocks.list()]).toEqual([
        true,
        false,
        [],
      ]);
    } finally {
      await db.close();
    }
  });
});
