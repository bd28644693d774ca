import { type Address, NO_TOKEN_POWERS, WSOL_MINT } from '@tradepost/solana';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { workOut } from '../../src/modules/market/use/work-out-trending.ts';
import { freshAddress, newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

const HOUR = 3_600;
const DAY = 86_400;

let rig: MarketRig;
let app: FastifyInstance;
let pup: Market;
let fake: Market;
let cat: Market;

beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** A dollar pool of 20,000 for PUP, one for its look-alike that is deeper, and one for CAT that is thin. */
beforeEach(async () => {
  await rig.reset();
  [pup] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
  [fake, cat] = (await newMarkets(rig.markets, ['РUР', 'CAT'], { quoteMint: pup.quoteMint })) as [
    Market,
    Market,
  ];
  rig.dollars.push(pup.quoteMint);
  await rig.mint(pup.baseMint, 'PUP', 'Puppy');
  await rig.mint(fake.baseMint, 'РUР', 'Puppy Fake');
  await rig.mint(cat.baseMint, 'CAT\u202e', null);
  await rig.mint(pup.quoteMint, 'USDX', 'Dollar');
  const at = NOW * 1_000;
  await rig.markets.saveLooks([
    { marketId: pup.id, quote: 10_000_000_000n, mid: 0.02, at },
    { marketId: fake.id, quote: 900_000_000_000n, mid: 5, at },
    { marketId: cat.id, quote: 1_000_000n, mid: 1, at },
  ]);
  app = rig.host();
});

const ask = async (url: string) => {
  const answer = await app.inject({ url });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
};
const data = async <T = Record<string, unknown>[]>(url: string): Promise<T> => {
  const { status, body } = await ask(url);
  expect([url, status]).toEqual([url, 200]);
  return body['data'] as T;
};
const search = async (q: string) =>
  (await data(`/tokens/search?q=${encodeURIComponent(q)}`)).map(({ mint, imitates }) => [mint, imitates]);

describe('dollars in the market data', () => {
  it('stand wherever one is told', async () => {
    await rig.tape.append({ trades: [tradeAt(pup.id, NOW - HOUR)], live: [] });
    await rig.tape.moveWindows(NOW);
    rig.advance(31);
    const market = await data<Record<string, unknown>>(`/markets/${pup.address}`);
    expect(market).toMatchObject({ usdPrice: 0.02, liquidityUsd: 20_000, volumeUsd: 150 });
    const old = async (path: string) =>
      (await app.inject({ url: path })).json<{ data: Record<string, unknown>[] }>().data;
    expect((await old('/v1/prices'))[0]).toMatchObject({ usdPrice: 0.02, liquidityUsd: 20_000 });
    expect(await old(`/v1/prices/${pup.address}/last`)).toMatchObject({ usdPrice: 0.02 });
    const of = (rows: Record<string, unknown>[]) => rows.find(({ address }) => address === pup.address);
    expect(of(await old('/v1/volumes'))).toMatchObject({ volumeUsd: 150 });
    expect(of(await old('/v1/pairs'))).toMatchObject({ liquidityUsd: 20_000 });
  });

  it('are null, not 0, where nobody can tell', async () => {
    rig.advance(601);
    for (const { address } of [pup, cat])
      expect(await data<Record<string, unknown>>(`/markets/${address}`)).toMatchObject({ usdPrice: null });
  });
});

describe('GET /tokens/search', () => {
  it('finds Puppy first by $PUP, PUP, puppy, its address, its market and a link, and marks the Cyrillic one', async () => {
    for (const q of ['$PUP', 'PUP', 'pup', 'puppy'])
      expect([q, ...(await search(q))]).toEqual([q, [pup.baseMint, null], [fake.baseMint, pup.baseMint]]);
    for (const q of [pup.baseMint, pup.address, `https://birdeye.so/token/${pup.baseMint}?chain=solana`])
      expect([q, ...(await search(q))]).toEqual([q, [pup.baseMint, null]]);
    expect(await search(fake.baseMint)).toEqual([[fake.baseMint, pup.baseMint]]);
  });

  it('tells what is known of each', async () => {
    expect((await data('/tokens/search?q=pup'))[0]).toEqual({
      mint: pup.baseMint,
      symbol: 'PUP',
      name: 'Puppy',
      decimals: 6,
      verified: false,
      imitates: null,
      usdPrice: 0.02,
      confidence: 'low',
      stale: false,
      priceSol: null,
      liquidityUsd: 20_000,
      pricedAt: new Date(NOW * 1_000).toISOString(),
      change24h: null,
      change24hQuote: null,
      volume24hUsd: 0,
      primaryMarket: pup.address,
      createdAt: new Date(NOW * 1_000).toISOString(),
    });
    expect((await data('/tokens/search?q=cat'))[0]).toMatchObject({
      symbol: 'CAT',
      name: null,
      usdPrice: 1,
      confidence: 'low',
      liquidityUsd: 2,
    });
  });

  it('finds SOL, of which no pool and no index tells, by its ticker and by its name', async () => {
    rig.wellKnown.push({ mint: WSOL_MINT, symbol: 'SOL' });
    const { symbol, name, ...nameless } = rig.known.get(pup.baseMint)!;
    expect([symbol, name]).toEqual(['PUP', 'Puppy']);
    rig.known.set(WSOL_MINT, { ...nameless, mint: WSOL_MINT, symbol: null, name: null });
    await rig.mint(pup.baseMint, 'SOLPUP', 'Solana Pup');
    for (const q of ['SOL', '$sol', 'solana']) {
      expect([q, (await data(`/tokens/search?q=${q}`))[0]]).toMatchObject([
        q,
        { mint: WSOL_MINT, symbol: 'SOL', name: 'Solana', verified: true, imitates: null },
      ]);
    }
    expect((await search('sola')).map(([mint]) => mint)).toContain(WSOL_MINT);
    expect((await search('solx')).map(([mint]) => mint)).not.toContain(WSOL_MINT);
  });

  it('puts what the operator vouches for first', async () => {
    rig.wellKnown.push({ mint: fake.baseMint, symbol: 'PUP' });
    const [first, second] = await data('/tokens/search?q=pup');
    expect(first).toMatchObject({ mint: fake.baseMint, verified: true, imitates: null });
    expect(second).toMatchObject({ mint: pup.baseMint, verified: false, imitates: fake.baseMint });
  });

  it('takes quotes, percent signs and marks for letters, and refuses what shows nothing or too much', async () => {
    for (const q of ["'", '%', '_', '\\', '"', '%00', ';--', 'a'.repeat(64), '😀', `a${'\u0301'.repeat(60)}`])
      expect(await search(q)).toEqual([]);
    const refused = ['', ' ', '\u202e', 'b'.repeat(65), `${'x '.repeat(300)}`, '\u0301'.repeat(65)];
    for (const q of refused) {
      const { status, body } = await ask(`/tokens/search?q=${encodeURIComponent(q)}`);
      expect([q, status, body['error']]).toMatchObject([q, 400, { code: 'QUERY_INVALID', field: 'q' }]);
    }
  });
});

describe('GET /tokens/{mint}', () => {
  it('tells all that is known', async () => {
    rig.launches.set(pup.baseMint, {
      launch: {} as never,
      pad: { name: 'desk', label: 'Desk' },
      soldBps: 1_250,
      graduated: false,
    });
    await rig.tape.append({
      trades: [
        tradeAt(pup.id, NOW - DAY - 5, { quote: 100_000_000n }),
        tradeAt(pup.id, NOW - 2 * HOUR, { quote: 125_000_000n }),
        tradeAt(pup.id, NOW - 60, { quote: 150_000_000n }),
      ],
      live: [],
    });
    await rig.tape.moveWindows(NOW);
    rig.advance(31);
    expect(await data<Record<string, unknown>>(`/tokens/${pup.baseMint}`)).toEqual({
      mint: pup.baseMint,
      symbol: 'PUP',
      name: 'Puppy',
      decimals: 6,
      verified: false,
      imitates: null,
      usdPrice: 0.02,
      confidence: 'low',
      stale: false,
      priceSol: null,
      liquidityUsd: 20_000,
      pricedAt: new Date(NOW * 1_000).toISOString(),
      volume24hUsd: 275,
      primaryMarket: pup.address,
      createdAt: new Date(NOW * 1_000).toISOString(),
      change: { '5m': 20, '1h': 20, '6h': 50, '24h': 50 },
      changeQuote: { '5m': 20, '1h': 20, '6h': 50, '24h': 50 },
      traders24h: 2,
      marketCapUsd: 20_000,
      supply: '1000000',
      holders: 7,
      top10Percent: 25,
      safety: {
        level: 'CAREFUL',
        warnings: [
          { code: 'CONCENTRATED', severity: 'CAREFUL' },
          { code: 'FEW_HOLDERS', severity: 'CAREFUL' },
        ],
      },
      launch: { pad: 'Desk', bondedPercent: 12.5, graduated: false },
      passportUrl: `https://desk.example/token/${pup.baseMint}`,
      markets: [
        {
          address: pup.address,
          market: 'PUP/USDX',
          venue: 'desk',
          liquidityUsd: 20_000,
          primary: true,
          gap: false,
        },
      ],
      asOf: new Date((NOW + 31) * 1_000).toISOString(),
    });
  });

  it('says null for what nobody knows, and 404 for what is no mint', async () => {
    rig.advance(601);
    expect(await data<Record<string, unknown>>(`/tokens/${cat.baseMint}`)).toMatchObject({
      usdPrice: null,
      marketCapUsd: null,
      change: { '5m': null, '1h': null, '6h': null, '24h': null },
    });
    const { status, body } = await ask(`/tokens/${freshAddress()}`);
    expect([status, body['error']]).toMatchObject([404, { code: 'TOKEN_NOT_FOUND', field: 'mint' }]);
    // The document names the code, too.
    const described = await ask('/openapi.json');
    expect(described.body['paths']).toHaveProperty(
      ['/tokens/{mint}', 'get', 'responses', '404', 'description'],
      expect.stringContaining('TOKEN_NOT_FOUND'),
    );
  });
});

describe('GET /tokens/trending', () => {
  const trends = async () => {
    const known = new Map<Address, string>();
    const market = { snapshot: () => rig.market().snapshot() };
    await workOut(
      {
        ...rig,
        market,
        peopleOf: async () => known,
        chain: { epoch: async () => 1n, token: async (mint) => rig.known.get(mint) ?? null },
        hubs: [pup.quoteMint],
        clock: { now: () => NOW * 1_000 },
        log: { debug: () => undefined },
      },
      24,
    );
    return await data('/tokens/trending?window=24h');
  };

  it('shows what people moved into, and no wash trade, look-alike, thin pool or trap', async () => {
    const [good, trap] = (await newMarkets(rig.markets, ['GOOD', 'TRAP'], { quoteMint: pup.quoteMint })) as [
      Market,
      Market,
    ];
    await rig.mint(good.baseMint, 'GOOD');
    await rig.mint(trap.baseMint, 'TRAP', null, {
      extensions: { ...NO_TOKEN_POWERS, permanentDelegate: freshAddress() },
    });
    const at = NOW * 1_000;
    await rig.markets.saveLooks(
      [good, trap].map(({ id }) => ({ marketId: id, quote: 10_000_000_000n, mid: 1, at })),
    );
    const real = [good, fake, cat, trap].flatMap(({ id }, n) =>
      Array.from({ length: 5 }, (_, i) => tradeAt(id, NOW - 100, { index: 100 * n + i, quote: 20_000_000n })),
    );
    const bots = Array.from({ length: 10 }, () => freshAddress());
    const wash = bots.flatMap((trader, i) =>
      Array.from({ length: 20 }, (_, n) =>
        tradeAt(pup.id, NOW - 200 + n, {
          index: 500 + i,
          trader,
          side: n % 2 === 0 ? 'buy' : 'sell',
          quote: 500_000_000n,
        }),
      ),
    );
    await rig.tape.append({ trades: [...real, ...wash], live: [] });
    rig.advance(31);
    const shown = await trends();
    expect(shown.map(({ mint, traders }) => [mint, traders])).toEqual([[good.baseMint, 5]]);
    expect(shown[0]).toMatchObject({ volumeUsd: 100, netUsd: 100, usdPrice: 1 });
    expect(await data('/tokens/trending?window=1h')).toEqual([]);
  });

  it('refuses another window', async () => {
    expect((await ask('/tokens/trending?window=2h')).body['error']).toMatchObject({ code: 'WINDOW_INVALID' });
  });
});

it('GET /tokens/new pages from the newest', async () => {
  rig.advance(60);
  const late = freshAddress();
  await rig.mint(late, 'LATE');
  const first = await ask('/tokens/new?limit=1');
  expect((first.body['data'] as { mint: string }[])[0]).toMatchObject({ mint: late, bondedPercent: null });
  const mints: unknown[] = [];
  for (let url: string | undefined = '/tokens/new?limit=2'; url !== undefined; ) {
    const { body, headers } = await ask(url);
    mints.push(...(body['data'] as { mint: string }[]).map(({ mint }) => mint));
    url = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
  }
  expect(mints).toEqual((await data('/tokens/new?limit=100')).map(({ mint }) => mint));
  expect(new Set(mints).size).toBe(mints.length);
  for (const cursor of ['x', Buffer.from('["tokens","1 x"]').toString('base64url')])
    expect((await ask(`/tokens/new?cursor=${cursor}`)).body['error']).toMatchObject({
      code: 'CURSOR_INVALID',
    });
});

describe('GET /tokens', () => {
  const mintsOf = async (url: string) => (await data(url)).map(({ mint }) => mint);

  it('lists each token that trades here once, by the figure that was asked for', async () => {
    const all = await mintsOf('/tokens?sort=usdPrice');
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining([pup.baseMint, fake.baseMint, cat.baseMint]));
    const prices = (await data('/tokens?sort=usdPrice&order=asc')).map(({ usdPrice }) => usdPrice);
    const known = prices.filter((one): one is number => typeof one === 'number');
    expect(known.length).toBeGreaterThan(1);
    expect(known).toEqual(known.toSorted((a, b) => a - b));
    expect(prices.slice(0, known.length)).toEqual(known);
    expect(await mintsOf(`/tokens?sort=usdPrice&venue=${pup.venue}`)).toEqual(all);
    expect(await mintsOf('/tokens?venue=no-such-venue')).toEqual([]);
  });

  it('pages through them, with the filters kept and a cursor that is good for its own order alone', async () => {
    const whole = await mintsOf('/tokens?sort=liquidityUsd&minLiquidityUsd=1');
    expect(whole).not.toContain(pup.quoteMint);
    const paged: unknown[] = [];
    let link: string | undefined = '/tokens?sort=liquidityUsd&minLiquidityUsd=1&limit=1';
    for (let url: string | undefined = link; url !== undefined; ) {
      const { body, headers } = await ask(url);
      paged.push(...(body['data'] as { mint: string }[]).map(({ mint }) => mint));
      url = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
      link = url ?? link;
    }
    expect(paged).toEqual(whole);
    expect(whole.length).toBeGreaterThan(1);
    const cursor = new URL(link, 'http://x').searchParams.get('cursor') ?? '';
    const other = await ask(`/tokens?sort=usdPrice&cursor=${cursor}`);
    expect(other.body['error']).toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it.each([
    ['sort=age', 'QUERY_INVALID'],
    ['order=up', 'QUERY_INVALID'],
    ['verified=yes', 'QUERY_INVALID'],
    ['minLiquidityUsd=-1', 'QUERY_INVALID'],
    ['minVolume24hUsd=1e9', 'QUERY_INVALID'],
    ['venue=No%20Such', 'QUERY_INVALID'],
    ['limit=101', 'LIMIT_INVALID'],
    ['cursor=x', 'CURSOR_INVALID'],
  ])('refuses %s', async (query, code) => {
    const { status, body } = await ask(`/tokens?${query}`);
    expect([status, body['error']]).toEqual([400, expect.objectContaining({ code })]);
  });
});

describe('POST /prices', () => {
  const post = async (payload: unknown) => {
    const answer = await app.inject({ method: 'POST', url: '/prices', payload: payload as object });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };

  it('answers in the order asked, null where nobody knows', async () => {
    const stranger = freshAddress();
    const { body } = await post({ mints: [stranger, pup.baseMint, pup.quoteMint] });
    expect(body['data']).toEqual([
      {
        mint: stranger,
        usdPrice: null,
        confidence: null,
        stale: null,
        priceSol: null,
        liquidityUsd: null,
        pricedAt: null,
      },
      expect.objectContaining({ mint: pup.baseMint, usdPrice: 0.02, confidence: 'low' }),
      expect.objectContaining({ mint: pup.quoteMint, usdPrice: 1, confidence: 'high' }),
    ]);
  });

  it('refuses none, too many and what is no address', async () => {
    for (const mints of [[], Array(101).fill(pup.baseMint), ['x'], 'x', null]) {
      const { status, body } = await post({ mints });
      expect([status, body['error']]).toMatchObject([400, { code: 'MINTS_INVALID' }]);
    }
  });
});

it('takes no path, method or parameter that it does not know', async () => {
  for (const [url, status] of [
    ['/tokens/search', 400],
    ['/tokens/search?q=a&q=b', 400],
    ['/tokens/search?q=a&x=1', 400],
    ['/tokens/search?q=a&limit=0', 400],
    ['/tokens/search?q=a&limit=-1', 400],
    ['/tokens/search?q=a&limit=1e9', 400],
    ['/tokens/search?q=a&limit=abc', 400],
    ['/tokens/1111', 400],
    ['/tokens/%00', 400],
    [`/tokens/${'x'.repeat(10_000)}`, 400],
    ['/tokens/a/b', 404],
    ['/prices', 405],
  ] as const) {
    const answer = await app.inject({ url });
    expect([url, answer.statusCode]).toEqual([url, status]);
    expect(answer.json<{ error: { code: string } }>().error.code).toMatch(/^[A-Z_]+$/);
  }
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    expect((await app.inject({ method, url: '/tokens/trending' })).statusCode).toBe(405);
});
