import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { TapeTrade } from '@tradepost/tape';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { freshAddress, newMarkets, slotAt, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

const DAY = 86_400;
const BEGAN = NOW - 2 * DAY;

let rig: MarketRig;
let app: FastifyInstance;
let pup: Market;
let dog: Market;
let trader: Address;

beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** PUP against SOL and DOG against a dollar, sealed up to now: bought on one day, sold on the next. */
beforeEach(async () => {
  await rig.reset();
  const usd = freshAddress();
  trader = freshAddress();
  await rig.tape.setMoney({ sol: WSOL_MINT, dollars: [usd] });
  [pup] = (await newMarkets(rig.markets, ['PUP'], { quoteMint: WSOL_MINT, quoteDecimals: 9 })) as [Market];
  [dog] = (await newMarkets(rig.markets, ['DOG'], { quoteMint: usd })) as [Market];
  const sold = { trader, side: 'sell' as const };
  await seal(pup, [
    tradeAt(pup.id, BEGAN, { index: 1, trader, base: 400n, quote: 1_000n }),
    tradeAt(pup.id, BEGAN + DAY, { index: 2, ...sold, base: 100n, quote: 700n }),
  ]);
  await seal(dog, [
    tradeAt(dog.id, BEGAN, { index: 3, trader, base: 10n, quote: 5_000_000n }),
    tradeAt(dog.id, BEGAN + DAY, { index: 4, ...sold, base: 30n, quote: 6_000_000n }),
  ]);
  app = rig.host();
});

const seal = async (market: Market, trades: readonly TapeTrade[]): Promise<void> => {
  await rig.tape.startCursor({ marketId: market.id, slot: slotAt(BEGAN - 1), post: null });
  const range = { marketId: market.id, after: slotAt(BEGAN - 1), upTo: slotAt(NOW), post: null };
  await rig.tape.seal({ trades, ranges: [range] });
};
const ask = async (url: string) => {
  const answer = await app.inject({ url });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, never>>() };
};

describe('GET /wallets/{address}/trades', () => {
  it('gives sums by day and token, the newest first, page by page', async () => {
    const { body } = await ask(`/wallets/${trader}/trades`);
    const { days, since, gaps } = body['data'] as unknown as {
      readonly days: readonly Record<string, unknown>[];
      readonly since: string;
      readonly gaps: readonly unknown[];
    };
    expect([since, gaps]).toEqual([new Date(BEGAN * 1_000).toISOString(), []]);
    expect(days).toHaveLength(4);
    expect(days.find((row) => row['mint'] === pup.baseMint)).toMatchObject({
      day: new Date((BEGAN + DAY) * 1_000).toISOString().slice(0, 10),
      bought: '0',
      sold: '100',
      proceedsLamports: '700',
      proceedsUsd: '0',
      trades: 1,
      unvalued: 0,
    });
    const found: unknown[] = [];
    let next: string | undefined = `/wallets/${trader}/trades?limit=3`;
    while (next !== undefined) {
      const page = await ask(next);
      expect(page.status).toBe(200);
      found.push(...(page.body['data'] as unknown as { days: unknown[] }).days);
      next = /<([^>]+)>/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(found).toEqual(days);
    const own = await ask(`/wallets/${trader}/trades?mint=${dog.baseMint}`);
    expect((own.body['data'] as unknown as { days: unknown[] }).days).toHaveLength(2);
  });

  it('gives nothing of an address that never traded', async () => {
    const { status, body } = await ask(`/wallets/${freshAddress()}/trades`);
    expect([status, body['data']]).toMatchObject([200, { days: [] }]);
  });

  it.each([
    ['/wallets/x/trades', 'ADDRESS_INVALID'],
    ['/wallets/{}/trades?mint=x', 'ADDRESS_INVALID'],
    ['/wallets/{}/trades?limit=501', 'LIMIT_INVALID'],
    ['/wallets/{}/trades?cursor=nonsense', 'CURSOR_INVALID'],
    ['/wallets/{}/pnl?window=2d', 'QUERY_INVALID'],
    ['/wallets/{}/pnl?window=', 'QUERY_INVALID'],
  ])('refuses %s as %s', async (url, code) => {
    const { status, body } = await ask(url.replace('{}', trader));
    expect([status, (body['error'] as unknown as { code: string }).code]).toEqual([400, code]);
  });

  it('takes no cursor of another wallet’s list', async () => {
    const { headers } = await ask(`/wallets/${trader}/trades?limit=1`);
    const cursor = /cursor=([^>&]+)/.exec(String(headers['link']))?.[1];
    const { status } = await ask(`/wallets/${freshAddress()}/trades?limit=1&cursor=${cursor}`);
    expect(status).toBe(400);
  });
});

describe('GET /wallets/{address}/pnl', () => {
  const pnl = async (window: string) => (await ask(`/wallets/${trader}/pnl?window=${window}`)).body['data'];

  it('says what sales realised, in SOL and in dollars apart, and which units have no known cost', async () => {
    // 100 of 400 were sold for 700 that cost 250; a third of 30 cost 5 dollars and brought 2.
    expect(await pnl('7d')).toMatchObject({
      window: '7d',
      total: { realisedLamports: '450', realisedUsd: '-3', trades: 4, costLamports: '1000', costUsd: '5' },
      tokens: expect.arrayContaining([
        expect.objectContaining({ mint: pup.baseMint, realisedLamports: '450', uncountedUnits: '0' }),
        expect.objectContaining({ mint: dog.baseMint, realisedUsd: '-3', uncountedUnits: '20', sold: '30' }),
      ]),
      tokensLeftOut: 0,
      complete: false,
    });
  });

  it('costs sales of a window by purchases before it', async () => {
    expect(await pnl('1d')).toMatchObject({ total: { trades: 0, realisedLamports: '0' }, tokens: [] });
    rig.advance(-DAY);
    expect(await pnl('1d')).toMatchObject({
      total: { trades: 2, costLamports: '0', proceedsLamports: '700', realisedLamports: '450' },
    });
  });

  it('is complete where the sums reach as far as the window, and no market lacks trades', async () => {
    expect(await pnl('1d')).toMatchObject({ complete: true, gaps: [] });
    await rig.tape.markGap(pup.id, 77n);
    await rig.tape.recordFaults([{ signature: 'x', marketId: dog.id, slot: 88n, why: 'it cannot be read' }]);
    rig.advance(60);
    expect(await pnl('1d')).toMatchObject({
      complete: false,
      gaps: expect.arrayContaining([
        { market: pup.address, sinceSlot: '77', reason: 'lost' },
        { market: dog.address, sinceSlot: '88', reason: 'unread' },
      ]),
    });
  });

  it('is not complete where a trade has no value', async () => {
    const [odd] = (await newMarkets(rig.markets, ['ODD'])) as [Market];
    await seal(odd, [tradeAt(odd.id, BEGAN, { index: 9, trader })]);
    expect(await pnl('1d')).toMatchObject({ complete: false });
    expect(await pnl('7d')).toMatchObject({ total: { unvalued: 2 } });
  });
});
