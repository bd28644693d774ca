import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { createCharts } from '../../src/platform/pictures/create-charts.ts';
import { newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';
import { pageDeps } from './page-deps.ts';

let rig: MarketRig;
let market: Market;
let app: FastifyInstance;
beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig?.close());
beforeEach(async () => {
  await rig.reset();
  [market] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
  const { deps } = pageDeps();
  const charts = createCharts({ now: () => NOW * 1_000 });
  app = rig.host(undefined, { site: { ...deps.site, charts } });
});

const html = { accept: 'text/html,application/xhtml+xml' };
const page = (path: string) => app.inject({ url: path, headers: html });
const trade = (changes: Parameters<typeof tradeAt>[2] = {}, ago = 60) =>
  rig.tape.append({ trades: [tradeAt(market.id, NOW - ago, changes)], live: [] });

describe('the page of a market', () => {
  it('shows price, change, volume, trades and depth, exact and in words', async () => {
    await trade({}, 100);
    await trade({ side: 'sell', base: 100_000_000n, quote: 153_000_000n }, 40);
    rig.offer(
      market,
      (mintIn, amount) => (mintIn === market.baseMint ? (amount * 3n) / 2n : (amount * 2n) / 3n),
      (mintIn) =>
        mintIn === market.baseMint ? { numerator: 3n, denominator: 2n } : { numerator: 2n, denominator: 3n },
    );
    const { body, statusCode } = await page(`/market/${market.address}`);
    expect(statusCode).toBe(200);
    for (const words of [
      '<title>PUP/USDX 1.53 · Tradepost</title>',
      '▲ +2.00 %',
      'since the first trade',
      'last trade <time datetime="2026-11-24T11:59:20.000Z">40 s ago</time>',
      '<dt>24 h volume</dt><dd>303 <small>USDX</small></dd>',
      '<dt>24 h trades</dt><dd>2</dd>',
      '<dt>Of it buys</dt><dd>50 %</dd>',
      '▼ Sell',
      'The newest 2 trades are not final yet',
      'nobody’s orders stand behind it',
      'at slot 77',
      'not verified',
    ])
      expect(body).toContain(words);
  });

  it('leads from the address of a token to the page of the token, and tells a program its markets', async () => {
    const { statusCode, headers } = await page(`/market/${market.baseMint}`);
    expect([statusCode, headers.location]).toEqual([308, `/token/${market.baseMint}`]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const facts = await app.inject({ url: `/market/${market.baseMint}.json` });
    expect(facts.statusCode).toBe(404);
    expect(facts.json<{ error: { message: string } }>().error.message).toContain(market.address);
    // An address that is neither has nowhere to lead.
    const stranger = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    expect((await page(`/market/${stranger}`)).statusCode).toBe(404);
  });

  it('says n/a for what nobody knows, never 0', async () => {
    const { body } = await page(`/market/${market.address}`);
    expect(body).toContain('<p class="price">n/a');
    for (const tile of ['24 h volume', '24 h high', '24 h low', 'Liquidity', '24 h trades', 'Of it buys'])
      expect(body).toContain(`<dt>${tile}</dt><dd>n/a</dd>`);
    expect(body).toContain('The first swap in this pool shows here');
    expect(body).not.toContain('>0<');
  });

  it('says where trades may be missing', async () => {
    await rig.tape.markGap(market.id, 1_234n);
    expect((await page(`/market/${market.address}`)).body).toContain(
      'Trades from slot 1234 on may be missing',
    );
  });

  it('runs this site’s own files only, each of which is there and never changes', async () => {
    await trade();
    const { body, headers } = await page(`/market/${market.address}`);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|data:/);
    expect(body).not.toMatch(/<script(?! (type="module" )?src="\/assets\/)|style=|\son\w+=/);
    const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const answer = await app.inject({ url: file, headers: { 'accept-encoding': 'br' } });
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await app.inject(`${files[0]?.replace(/\/[^/]+$/, '')}/secrets.js`)).statusCode).toBe(404);
    expect((await app.inject('/assets/0000000000000000/style.css')).statusCode).toBe(404);
    expect((await app.inject('/assets/..%2f..%2fpackage.json/style.css')).statusCode).toBe(404);
  });

  it('is JSON and a picture too', async () => {
    await trade();
    const facts = await app.inject(`/market/${market.address}.json`);
    expect(facts.json<{ data: object }>().data).toMatchObject({
      market: 'PUP/USDX',
      priceExact: '1.5',
      usdPrice: null,
      trades: 1,
      depth: [],
      lastTrades: [{ size: '100', quoteSize: '150', side: 'buy', sealed: false }],
    });
    const picture = await app.inject(`/market/${market.address}.png`);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(picture.rawPayload.subarray(1, 4).toString()).toBe('PNG');
  });

  it('has no picture before the first trade, and says so', async () => {
    const picture = await app.inject(`/market/${market.address}.png`);
    expect(picture.statusCode).toBe(404);
    expect(picture.json()).toMatchObject({ error: { code: 'NO_TRADES' } });
  });

  it.each([
    ['/market/hello', 400, 'Not an address'],
    ['/market/%00', 400, 'Not an address'],
    [`/market/${'A'.repeat(10_000)}`, 400, 'Not an address'],
    ['/market/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 404, 'No such market'],
  ])('answers %s with %i', async (path, status, title) => {
    const answer = await page(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(`<h1>${title}</h1>`);
  });
});

describe('the home page', () => {
  it('has one row a token, those with most volume first, with the figures of its deepest market', async () => {
    const [cat] = (await newMarkets(rig.markets, ['CAT'], { quoteMint: market.quoteMint })) as [Market];
    const [second] = (await newMarkets(rig.markets, ['PUP'], {
      baseMint: market.baseMint,
      quoteMint: market.quoteMint,
    })) as [Market];
    rig.dollars.push(market.quoteMint);
    await rig.markets.saveLooks([
      { marketId: market.id, quote: 90_000_000_000n, mid: 1.6, at: NOW * 1_000 },
      { marketId: second.id, quote: 1_000_000_000n, mid: 1.6, at: NOW * 1_000 },
    ]);
    await rig.mint(market.baseMint, 'PUP', 'Puppy');
    await trade({}, 7_200);
    await trade({ quote: 160_000_000n }, 60);
    await rig.tape.append({ trades: [tradeAt(cat.id, NOW - 30, { quote: 900_000_000n })], live: [] });
    const { body, headers } = await page('/');
    const [, rows = ''] = /<tbody>(.*?)<\/tbody>/s.exec(body) ?? [];
    expect(rows.split('<tr>')).toHaveLength(3);
    const [, first = '', then = ''] = rows.split('<tr>');
    expect(first).toContain(`href="/token/${cat.baseMint}"`);
    expect(then).toContain(`href="/token/${market.baseMint}">PUP</a>`);
    expect(then).toContain(`href="/market/${market.address}"`);
    expect(then).toContain('+1 market');
    const cells = [...then.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, ''),
    );
    // Price, 5 minutes, 1 hour, 6 hours, 24 hours: two hours ago it was at 1.5, and no price is older.
    expect(cells.slice(1, 5)).toEqual(['$1.60', '▲ +6.67 %', '▲ +6.67 %', 'n/a']);
    expect(body).toMatch(/<svg class="spark up"[^>]*aria-label="24 hours: up"/);
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe/);
    expect(body.match(/<h1>/g)).toHaveLength(1);
  });

  it('shows the picture that we store of a token, and a letter for one without, and for one that looks like another', async () => {
    const [cat] = (await newMarkets(rig.markets, ['CAT'], { quoteMint: market.quoteMint })) as [Market];
    const [ape] = (await newMarkets(rig.markets, ['APE'], { quoteMint: market.quoteMint })) as [Market];
    await rig.tape.append({ trades: [market, cat, ape].map(({ id }) => tradeAt(id, NOW - 30)), live: [] });
    const pictures = new Map([
      [market.baseMint, '/images/a.png'],
      [ape.baseMint, '/images/b.png'],
    ]);
    const asked: unknown[] = [];
    const { deps } = pageDeps();
    const tokens = rig.tokens();
    const host = rig.host(undefined, {
      site: {
        ...deps.site,
        tokenPictures: async (mints) => {
          asked.push([...mints].toSorted());
          return pictures;
        },
      },
      tokens: {
        ...tokens,
        table: async (query) => {
          const table = await tokens.table(query);
          const rows = table?.rows.map((row) =>
            row.mint === ape.baseMint ? { ...row, imitates: market.baseMint } : row,
          );
          return table === null ? null : { ...table, rows: rows ?? [] };
        },
      },
    });
    const { body } = await host.inject({ url: '/', headers: html });
    const rowOf = (mint: string): string =>
      body.split('<tr>').find((row) => row.includes(`href="/token/${mint}"`)) ?? '';
    expect(rowOf(market.baseMint)).toContain('<img class="letter" src="/images/a.png" alt=""');
    for (const { baseMint } of [cat, ape]) {
      expect(rowOf(baseMint)).toContain('<svg class="letter"');
      expect(rowOf(baseMint)).not.toContain('<img');
    }
    expect(asked).toEqual([[market, cat, ape].map(({ baseMint }) => baseMint).toSorted()]);
  });

  it('is sorted by a link, filtered by a form and read on page by page', async () => {
    const quoteMint = market.quoteMint;
    const names = Array.from({ length: 60 }, (_, n) => `T${n}`);
    const markets = await newMarkets(rig.markets, names, { quoteMint });
    rig.dollars.push(quoteMint);
    await rig.tape.append({
      trades: markets.map(({ id }, n) =>
        tradeAt(id, NOW - 60, { index: n, quote: BigInt(1_000_000 * (n + 1)) }),
      ),
      live: [],
    });
    const mintsOf = (body: string) => [...body.matchAll(/href="\/token\/(\w+)"/g)].map(([, mint]) => mint);
    const first = (await page('/')).body;
    expect(mintsOf(first)).toHaveLength(50);
    expect(mintsOf(first)[0]).toBe(markets[59]?.baseMint);
    const [, more = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? [];
    const second = (await page(more.replaceAll('&amp;', '&'))).body;
    // The 60 and PUP, which never traded.
    expect(new Set([...mintsOf(first), ...mintsOf(second)]).size).toBe(61);
    expect(second).toContain('First page');
    const turned = (await page('/?sort=volume24hUsd&order=asc')).body;
    expect(mintsOf(turned).slice(0, 2)).toEqual([market.baseMint, markets[0]?.baseMint]);
    expect(turned).toMatch(/aria-sort="ascending"/);
    expect((await page('/?venue=pump-fun')).body).toContain('No token passes this filter');
    expect(mintsOf((await page(`/?venue=${market.venue}`)).body)).toHaveLength(50);
    // None of them was read, so none is known to be young.
    expect((await page('/?age=1h')).body).toContain('No token passes this filter');
    await rig.mint(market.baseMint, 'PUP', 'Puppy');
    expect(mintsOf((await page('/?age=1h')).body)).toEqual([market.baseMint]);
    expect((await page('/?depth=1000')).body).toContain('No token passes this filter');
  });

  it('says what was expected of a query that it cannot read', async () => {
    for (const [query, words] of [
      ['sort=luck', 'Expected one of volume24hUsd'],
      ['age=1y', 'Expected one of 1h, 24h, 7d, 30d'],
      ['depth=-1', 'Expected whole dollars'],
      ['cursor=abc', 'belongs to another order'],
    ] as const) {
      const answer = await page(`/?${query}`);
      expect([answer.statusCode, answer.body.includes(words)], query).toEqual([400, true]);
    }
  });

  it('says what will fill it while there is nothing', async () => {
    await rig.markets.forget();
    expect((await page('/')).body).toContain('as soon as the indexer has read the first pool');
  });
});

describe('what is not there', () => {
  it('is a page for people and JSON for programs', async () => {
    const person = await page('/nothing/here');
    expect([person.statusCode, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(person.body).toContain('There is nothing here');
    expect(person.body).toContain('<header class="top">');
    const program = await app.inject('/nothing/here');
    expect(program.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
