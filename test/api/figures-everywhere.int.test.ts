import { type Address, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { loadPassport } from '../../src/modules/passport/use/load-passport.ts';
import { positionView } from '../../src/modules/positions/chat/view.ts';
import { hitsView, trendingView } from '../../src/modules/tokens/chat/search-view.ts';
import { cardView } from '../../src/modules/trading/chat/card-view.ts';
import { picoUsdShown } from '../../src/modules/trading/rules/price.ts';
import { tokenWorths } from '../../src/modules/wallets/chat/home-tokens-worth.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { cardOf, MICRO_USD, positionOf, STATE, WORST } from '../support/screens/facts.ts';
import { newMarkets } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';
import { pageDeps } from './page-deps.ts';

const words = wordsOf('en');
const AT = NOW * 1_000;

let rig: MarketRig;
let sol: Market;
let deep: Market;
let thin: Market;

beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** SOL at 150 dollars; DEEP with 100 SOL in its pool and THIN, a curve without a purchase. */
beforeEach(async () => {
  await rig.reset();
  [sol] = (await newMarkets(rig.markets, ['SOL'], { baseMint: WSOL_MINT, baseDecimals: 9 })) as [Market];
  const against = { quoteMint: WSOL_MINT, quoteDecimals: 9 };
  [deep, thin] = (await newMarkets(rig.markets, ['DEEP', 'THIN'], against)) as [Market, Market];
  rig.dollars.push(sol.quoteMint);
  await rig.mint(deep.baseMint, 'DEEP', 'Deep', { supply: 1_234_567_000_000n });
  await rig.mint(thin.baseMint, 'THIN', 'Thin');
  await rig.markets.saveLooks([
    { marketId: sol.id, quote: 1_000_000_000_000n, mid: 150, at: AT },
    { marketId: deep.id, quote: 100_000_000_000n, mid: 0.0042, at: AT },
    { marketId: thin.id, quote: 0n, mid: 0.00002, at: AT },
  ]);
});

const site = () => {
  const { deps } = pageDeps();
  const passport = (mint: Address) =>
    loadPassport(
      {
        records: {
          find: async () => {
            const token = rig.known.get(mint);
            return token === undefined
              ? null
              : { token, metadata: null, slot: 1n, feeCollector: null, interest: null, pauser: null };
          },
        },
        chain: { epoch: async () => 1n },
        metadata: fakeMetadataStore(),
        wellKnown: [],
        origin: async () => null,
        launch: async () => null,
        revocations: async () => ({}),
      },
      mint,
    );
  return rig.host(undefined, { site: { ...deps.site, passport } });
};

const data = async (url: string, payload?: object) => {
  const answer = await site().inject(
    payload === undefined
      ? { url }
      : { method: 'POST', url, payload, headers: { 'content-type': 'application/json' } },
  );
  expect([url, answer.statusCode]).toEqual([url, 200]);
  return answer.json<{ data: Record<string, unknown>[] & Record<string, unknown> }>().data;
};
const page = async (url: string): Promise<string> => (await site().inject({ url })).body;

/** What a figure is called, and how each kind of surface prints it. */
type Told = { readonly usd: number; readonly liquidityUsd: number };
type Surface = (mint: Address, told: Told) => Promise<void>;

const isRecord = (record: unknown, { usd, liquidityUsd }: Told): void =>
  expect(record).toMatchObject({ usdPrice: usd, liquidityUsd });

/** In the digits of the chat: three that count. */
const inChat = (text: string, { usd }: Told): void => {
  const shown = text.match(/\$0\.0*[\d₀-₉]+/u)?.[0];
  const pico = picoUsdShown(usd);
  expect([text, shown]).toEqual([text, pico === 630_000_000_000n ? '$0.63' : '$0.003']);
};

const SURFACES: Readonly<Record<string, Surface>> = {
  'GET /tokens/{mint}': async (mint, told) => isRecord(await data(`/tokens/${mint}`), told),
  'GET /tokens/search': async (mint, told) => isRecord((await data(`/tokens/search?q=${mint}`))[0], told),
  'GET /tokens/new': async (mint, told) =>
    isRecord(
      (await data('/tokens/new?limit=10')).find((one) => one['mint'] === mint),
      told,
    ),
  'GET /tokens': async (mint, told) =>
    isRecord(
      (await data('/tokens?sort=usdPrice&limit=100')).find((one) => one['mint'] === mint),
      told,
    ),
  'GET /tokens/trending': async (mint, told) => {
    await trend(mint);
    isRecord((await data('/tokens/trending?window=24h'))[0], told);
  },
  'POST /prices': async (mint, told) => isRecord((await data('/prices', { mints: [mint] }))[0], told),
  'the page of the token': async (mint, { usd }) =>
    expect(await page(`/token/${mint}`)).toContain(`<p class="price">$${usd}</p>`),
  'the page of the search': async (mint, { usd }) =>
    expect(await page(`/search?q=${mint}`)).toContain(`<td class="number">$${usd}</td>`),
  'the page of the market': async (mint, { usd }) =>
    expect(await page(`/market/${(mint === deep.baseMint ? deep : thin).address}`)).toContain(`$${usd} `),
  'the chat’s search': async (mint, told) => {
    const hits = await rig.tokens().search({ text: mint });
    inChat(hitsView(words, { text: 'x', hits, page: 0, stateId: STATE }).text.markup, told);
  },
  'the chat’s Trending': async (mint, told) => {
    await trend(mint);
    const list = await rig.tokens().trending(24);
    inChat(trendingView(words, { hours: 24, list, stateId: STATE }).text.markup, told);
  },
  'the trade card': async (mint, told) => {
    const facts = cardOf(WORST, false);
    const profile = await rig.tokens().profile(mint);
    inChat(cardView(words, { ...facts, profile }).text.markup, told);
  },
  'a position': async (mint, told) => {
    const price = (await rig.tokens().prices([mint])).get(mint) ?? null;
    const { text } = positionView(words, {
      one: positionOf(WORST),
      microUsdPerSol: MICRO_USD,
      nowPicoUsd: price === null ? null : picoUsdShown(price.usd),
      lastBuy: null,
      guard: null,
      events: null,
      holding: null,
      now: 0,
      stateId: STATE,
    });
    inChat(text.markup.slice(text.markup.indexOf('→')), told);
  },
};

const trend = (mint: Address) =>
  rig.trending.save(24, [{ mint, score: 1, traders: 3, volumeUsd: 1, netUsd: 1 }], AT);

describe('one token has one figure', () => {
  for (const [name, told] of Object.entries(SURFACES)) {
    it(`on ${name}, whether its pool is deep or a curve that nobody has bought from`, async () => {
      await told(deep.baseMint, { usd: 0.63, liquidityUsd: 30_000 });
      await told(thin.baseMint, { usd: 0.003, liquidityUsd: 0 });
    });
  }

  it('and what a pool became since the indexer looked is on all of them as soon as somebody opens it', async () => {
    await data(`/tokens/${deep.baseMint}`);
    rig.setState(sol, { quote: 150n, base: 1_000n }, 1_000_000_000_000n);
    rig.setState(deep, { quote: 2_000n, base: 100_000n }, 0n);
    rig.setState(thin, { quote: 2_000n, base: 100_000n }, 0n);
    rig.advance(3);
    await rig.tokens().profile(deep.baseMint);
    // 0.00002 SOL: what it was drained to.
    for (const told of Object.values(SURFACES)) await told(deep.baseMint, { usd: 0.003, liquidityUsd: 0 });
  });

  it('is valued by no pool that is too thin to be believed', async () => {
    const holdings = [deep, thin].map(({ baseMint }) => ({
      mint: baseMint,
      amount: 1_000_000n,
      decimals: 6,
    }));
    expect(await tokenWorths(rig.tokens(), holdings)).toEqual(new Map([[deep.baseMint, 630_000n]]));
  });
});
