import { type Address, WSOL_MINT } from '@tradepost/solana';
import { expect, it } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import type { UsdPrice } from '../../../src/modules/market/rules/usd-price.ts';
import { tokenFacts } from '../../../src/modules/market/use/list-tokens.ts';
import type { MarketEntry, MarketSnapshot } from '../../../src/modules/market/use/market-snapshot.ts';
import { figuresOf } from '../../../src/modules/market/use/token-figures.ts';
import { createTokenProfiles, type TokenProfileDeps } from '../../../src/modules/market/use/token-profile.ts';
import { tokenSummary } from '../../../src/modules/market/use/token-summary.ts';
import type { IndexedToken } from '../../../src/modules/tokens/store-port.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { buildToken } from '../tokens/build-token.ts';

const [TOKEN, USD] = [addressOf(1), addressOf(2)];
const DOLLAR: UsdPrice = { usd: 1, confidence: 'high', stale: false, liquidityUsd: null, at: 0 };
const SOL_PRICE: UsdPrice = { ...DOLLAR, usd: 75, liquidityUsd: 1_000 };

function market(id: number, baseMint: Address, quoteMint: Address): Market {
  const own = addressOf(10 + id);
  return {
    id,
    address: own,
    venue: 'desk',
    programId: addressOf(9),
    baseMint,
    quoteMint,
    baseDecimals: 6,
    quoteDecimals: 9,
    baseVault: addressOf(20 + id),
    quoteVault: addressOf(30 + id),
    kind: 'tokens',
    createdSlot: 1n,
    baseTicker: 'A',
    quoteTicker: 'B',
    name: 'A/B',
    verified: false,
    followed: true,
    primary: true,
    gapSince: null,
  };
}

/** A market whose price was `before` a day ago and is `now`. */
function entry(of: Market, quoteUsd: UsdPrice, before: string, now: string): MarketEntry {
  const stated = (price: string, at: number) => ({ price, id: 1n, at });
  const stats = {
    marketId: of.id,
    windowStart: 0,
    base: 1n,
    quote: 1n,
    buyQuote: 0n,
    n: 1,
    high: null,
    low: null,
    first: stated(before, 0),
    firstIsBefore: true,
    last: stated(now, 86_400),
  };
  return { market: of, stats, last: null, quoteReserve: 1_000_000_000n, baseUsd: null, quoteUsd };
}

function snapshot(entries: readonly MarketEntry[]): MarketSnapshot {
  const usd = new Map([
    [USD, DOLLAR],
    [WSOL_MINT, SOL_PRICE],
  ]);
  return {
    entries,
    byAddress: new Map(entries.map((one) => [one.market.address, one])),
    usd,
    shown: usd,
    looks: new Map(),
    at: 0,
  };
}

const inSol = entry(market(1, TOKEN, WSOL_MINT), SOL_PRICE, '1', '1.2');

it('the change beside a price in dollars is in dollars, and that in the quote token is apart', () => {
  const solFell = entry(market(2, WSOL_MINT, USD), DOLLAR, '150', '75');
  expect(figuresOf(snapshot([inSol, solFell]), TOKEN)).toMatchObject({ change24h: -40, change24hQuote: 20 });
});

it('it is null where the dollars of the quote token are not known at both times', () => {
  expect(figuresOf(snapshot([inSol]), TOKEN)).toMatchObject({ change24h: null, change24hQuote: 20 });
});

/** A fresh curve: its pool is too thin to value a token by, so its price is only shown. */
const FRESH: UsdPrice = { usd: 90, confidence: 'low', stale: false, liquidityUsd: 12, at: 0 };
const NOTE: IndexedToken = {
  mint: TOKEN,
  symbol: 'PUP',
  name: 'Puppy',
  decimals: 6,
  symbolKey: 'pup',
  nameKey: 'puppy',
  madeHere: true,
  bare: false,
  imitates: null,
  firstSeenAt: 0,
};

/** What the card and the page of the token show, where no source names its holders. */
async function profileIn(market: MarketSnapshot) {
  const deps: TokenProfileDeps = {
    tokenIndex: { find: async () => [NOTE] } as unknown as TokenProfileDeps['tokenIndex'],
    market: { snapshot: async () => market, lookNow: async () => undefined },
    markets: { find: async () => null },
    tape: { firstTradeBefore: async () => null, countTraders: async () => 0 },
    chain: {
      token: async () => buildToken({ mint: TOKEN }),
      epoch: async () => 1n,
      accounts: async () => ({ slot: 1n, accounts: [] }),
    },
    holders: { count: async () => null, list: async () => null, largest: async () => null },
    launchOf: async () => null,
    wellKnown: [],
    isOld: async () => false,
    clock: { now: () => 86_400_000 },
  };
  const profile = await createTokenProfiles(deps)(TOKEN);
  if (profile === null) throw new Error('no profile');
  return profile;
}

it('a fresh curve has one price, depth and change on its card, its page, in search and in lists', async () => {
  const solFell = entry(market(2, WSOL_MINT, USD), DOLLAR, '150', '75');
  const counted = snapshot([inSol, solFell]);
  const fresh = { ...counted, shown: new Map<Address, UsdPrice>([...counted.usd, [TOKEN, FRESH]]) };
  const own = { price: FRESH, change24h: -40 };
  expect(fresh.usd.has(TOKEN)).toBe(false);
  expect(figuresOf(fresh, TOKEN)).toMatchObject({ ...own, liquidityUsd: 12 });
  expect(tokenSummary(fresh, NOTE, [])).toMatchObject(own);
  expect(tokenFacts(fresh, []).find(({ mint }) => mint === TOKEN)).toMatchObject({
    usd: 90,
    liquidityUsd: 12,
    change24h: -40,
  });
  const profile = await profileIn(fresh);
  expect(profile).toMatchObject({ price: FRESH, priceSol: 1.2, liquidityUsd: 12 });
  expect(profile.change['24h']).toBe(-40);
});
