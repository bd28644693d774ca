import { type Address, NO_TOKEN_POWERS, TOKEN_PROGRAM } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps, Host } from '../../src/compose/api-deps.ts';
import type { LaunchState } from '../../src/modules/launch/use/launch-progress.ts';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { createMarketData } from '../../src/modules/market/use/market-data.ts';
import { createTokenData } from '../../src/modules/market/use/token-data.ts';
import { createTradeStream } from '../../src/modules/market/use/trade-stream.ts';
import type { WellKnownToken } from '../../src/modules/tokens/rules/safety.ts';
import type { Token } from '../../src/modules/tokens/rules/token.ts';
import { readWalletPnl, readWalletTrades } from '../../src/modules/wallet-data/use/read-wallet-trades.ts';
import type { PoolState, Venue } from '../../src/platform/ports/venue.ts';
import { openTape } from '../../src/platform/tape/open-tape.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeIpBlocks } from '../support/fakes/ip-blocks.ts';
import { DAY_START, freshAddress } from '../support/tape-rows.ts';
import { buildSite, OPEN } from './build-site.ts';

const DAY = 86_400;
/** Noon of the third day of the tape, Unix seconds. */
export const NOW = DAY_START + 2 * DAY + DAY / 2;

/** Hosts over a real tape, whose clock stands at `NOW` until it is moved. A host is of the tape since the last reset. */
export async function openMarketRig() {
  const tape = await openTape({ url: await createTestDatabase() });
  let now = NOW * 1_000;
  const pools: Pool[] = [];
  /** What the pools of markets are now, by address; a venue without any leaves the looks that were written down. */
  const states = new Map<Address, PoolState>();
  const desk: Venue = {
    name: 'desk',
    pools: async (a, b) => pools.filter(({ mints }) => mints.includes(a) && mints.includes(b)),
    counterparts: async () => [],
  };
  const clock = { now: () => now };
  const dollars: Address[] = [];
  const open = () => createMarketData({ ...tape, feed: tape.marketFeed, venues: [desk], clock, dollars });
  let market = open();
  const known = new Map<Address, Token>();
  const launches = new Map<Address, LaunchState>();
  const openTokens = () =>
    createTokenData({
      ...tape,
      market,
      chain: {
        token: async (mint) => known.get(mint) ?? null,
        epoch: async () => 1n,
        accounts: async (addresses) => ({ slot: 1n, accounts: addresses.map(() => null) }),
        holdings: async () => [],
      },
      holders: {
        count: async () => 7,
        list: async () => null,
        largest: async () => [{ account: freshAddress(), amount: 250_000_000_000n }],
      },
      launchOf: async (mint) => launches.get(mint) ?? null,
      isOld: async () => true,
      wellKnown,
      clock,
    });
  const wellKnown: WellKnownToken[] = [];
  let tokens = openTokens();
  // What a stream of before a reset was reading while the tape was emptied is no failure of the next one.
  let failures: object[] = [];
  const openStream = () => {
    const own: object[] = [];
    failures = own;
    return createTradeStream({
      ...tape,
      feed: tape.marketFeed,
      market,
      clock,
      log: { warn: (facts, text) => void own.push({ ...facts, text }) },
    });
  };
  let tradeStream = openStream();
  const ipBlocks = fakeIpBlocks();
  const apps: FastifyInstance[] = [];
  const host = (
    kind: Host = OPEN,
    changes: Partial<ApiDeps> = {},
    trustedProxies: readonly string[] = [],
  ): FastifyInstance => {
    const { app } = buildSite(
      kind,
      {
        market,
        tokens,
        tradeStream,
        clock,
        ipBlocks,
        walletTrades: (wanted, page) => readWalletTrades({ ...tape, market, clock }, wanted, page),
        walletPnl: (wanted, window) => readWalletPnl({ ...tape, market, clock }, wanted, window),
        ...changes,
      },
      { trustedProxies },
    );
    apps.push(app);
    return app;
  };
  return {
    ...tape,
    ipBlocks,
    host,
    advance: (seconds: number): void => {
      now += seconds * 1_000;
    },
    launches,
    wellKnown,
    known,
    /** What the stream could not read since the last reset. */
    failures: () => failures,
    market: () => market,
    /** Puts a mint of a million whole tokens on the chain, and what it is called into the index. */
    mint: async (
      mint: Address,
      symbol: string | null,
      name: string | null = null,
      changes: Partial<Token> = {},
    ) => {
      const token = {
        mint,
        tokenProgram: TOKEN_PROGRAM,
        decimals: 6,
        supply: 1_000_000_000_000n,
        symbol,
        name,
        mintAuthority: null,
        freezeAuthority: null,
        extensions: NO_TOKEN_POWERS,
        ...changes,
      };
      known.set(mint, token);
      await tape.tokenIndex.save([token], now);
    },
    /** Worth a dollar from the next reading of the markets on. */
    dollars,
    reset: async (): Promise<void> => {
      dollars.length = 0;
      wellKnown.length = 0;
      launches.clear();
      market.stop();
      tradeStream.close();
      await tape.markets.forget();
      pools.length = 0;
      states.clear();
      Reflect.deleteProperty(desk, 'markets');
      now = NOW * 1_000;
      // Nothing of the former tape is kept.
      market = open();
      tokens = openTokens();
      tradeStream = openStream();
    },
    tokens: () => tokens,
    /** What the pool of a market is now: smallest quote units for so many smallest base units, and what it holds of the quote. */
    setState: (m: Market, price: { readonly quote: bigint; readonly base: bigint }, reserve: bigint) => {
      const spot = (mintIn: Address) =>
        mintIn === m.baseMint
          ? { numerator: price.quote, denominator: price.base }
          : { numerator: price.base, denominator: price.quote };
      states.set(m.address, {
        pool: { mints: [m.baseMint, m.quoteMint], slot: 78n, spot },
        reserves: [1n, reserve],
      });
      const markets: Venue['markets'] = {
        describe: async (found) => found.map(() => null),
        states: async (found) => found.map(({ id }) => states.get(id) ?? null),
      };
      Object.assign(desk, { markets });
    },
    offer: (m: Market, quote: Pool['quote'], spot: Pool['spot']) => {
      pools.push({
        id: m.address,
        venue: 'desk',
        label: 'Desk',
        mints: [m.baseMint, m.quoteMint],
        slot: 77n,
        quote,
        spot,
        swap: () => [],
      });
    },
    close: async (): Promise<void> => {
      market.stop();
      await Promise.all(apps.map((app) => app.close()));
      await tape.tape.close();
    },
  };
}

export type MarketRig = Awaited<ReturnType<typeof openMarketRig>>;
