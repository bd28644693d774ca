import { type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import { EVERY_WAY } from '../../../src/modules/trading/rules/route-filter.ts';
import { createPoolQuarantine } from '../../../src/modules/trading/use/pool-quarantine.ts';
import { createPoolRehearsal } from '../../../src/modules/trading/use/pool-rehearsal.ts';
import { quoteSwap } from '../../../src/modules/trading/use/quote-swap.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeDeps } from '../../../src/modules/trading/use/trading-deps.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildApi, type ErrorAnswer, post, SOL } from '../../api/build-api.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { buildIntent, buildWallet, type DeskRig, signMessage, startDeskRig } from './desk-rig.ts';

const TWIN = addressOf(77);
let rig: DeskRig;
let now = 1_000_000;
let warned: { readonly pool: string; readonly venue: string; readonly venueFailures: number }[] = [];
beforeAll(async () => {
  rig = await startDeskRig('failing-pool');
  // A rehearsal pretends to spend from the treasury.
  await rig.airdrop(rig.treasury, 1_000_000_000n);
});
afterAll(() => rig.stop());
beforeEach(() => {
  warned = [];
});

/** The token program knows no such instruction: the simulation fails at it, and no log speaks of a price. */
const refused: Instruction = { programId: TOKEN_PROGRAM, accounts: [], data: new Uint8Array([254]) };

/** Beside each pool of the pair a copy that quotes so many percent of it; `swap` is what comes of trading over it. */
function withTwin(
  swap: (pool: Pool, order: Parameters<Pool['swap']>[0]) => readonly Instruction[],
  percent = 110n,
) {
  const built: number[] = [];
  const venues = rig.venues.map(
    (venue): Venue => ({
      ...venue,
      pools: async (...asked) => {
        const pools = await venue.pools(...asked);
        const [first] = pools;
        if (first === undefined || !first.mints.includes(rig.token('PUP').mint)) return pools;
        const { shape: _, gains: __, ...plain } = first;
        const twin: Pool = {
          ...plain,
          id: TWIN,
          label: 'Twin',
          quote: (mintIn, amountIn) => (first.quote(mintIn, amountIn) * percent) / 100n,
          swap: (order) => {
            built.push(now);
            return swap(first, order);
          },
        };
        return [twin, ...pools];
      },
    }),
  );
  const poolQuarantine = createPoolQuarantine({
    clock: { now: () => now },
    log: { warn: (fields) => void warned.push(fields as (typeof warned)[number]) },
  });
  const simulated: unknown[] = [];
  const chain: TradeDeps['chain'] = {
    ...rig.deps.chain,
    simulate: (...asked) => {
      simulated.push(asked);
      return rig.deps.chain.simulate(...asked);
    },
  };
  const poolRehearsal = createPoolRehearsal({
    ...rig.deps,
    chain,
    compiler: rig.compiler,
    clock: { now: () => now },
  });
  return {
    deps: { ...rig.deps, venues, poolQuarantine } satisfies TradeDeps,
    rehearsing: { ...rig.deps, venues, poolQuarantine, poolRehearsal } satisfies TradeDeps,
    poolQuarantine,
    built,
    simulated,
  };
}

async function swapOver(deps: TradeDeps) {
  const api = buildApi({ ...rig, deps });
  try {
    return await post(api.open, {
      userWalletAddress: rig.wallet,
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
      amount: '100000000',
    });
  } finally {
    await api.close();
  }
}

const namesOf = (body: string): readonly string[] =>
  [...body.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name ?? '');

describe('a pool that looks best and fails', () => {
  it('is routed around in the same request, and the next request does not try it', async () => {
    const { deps, built, poolQuarantine } = withTwin(() => [refused]);
    const first = await swapOver(deps);
    expect(first.statusCode, first.body).toBe(200);
    expect(namesOf(first.body)).not.toContain('Twin');
    expect(poolQuarantine.holds(TWIN)).toBe(true);
    expect(warned).toMatchObject([{ pool: TWIN, venue: 'desk', venueFailures: 1 }]);
    const tried = built.length;
    expect(tried).toBeGreaterThan(0);
    const second = await swapOver(deps);
    expect(second.statusCode, second.body).toBe(200);
    expect(built.length).toBe(tried);
  });

  it('is tried again after a pause that grows', async () => {
    const { deps, poolQuarantine } = withTwin(() => [refused]);
    for (const [index, pauseMs] of [30_000, 120_000, 600_000].entries()) {
      await swapOver(deps);
      expect(warned.map(({ venueFailures }) => venueFailures)).toHaveLength(index + 1);
      now += pauseMs - 1;
      expect(poolQuarantine.holds(TWIN)).toBe(true);
      now += 1;
      expect(poolQuarantine.holds(TWIN)).toBe(false);
    }
  });

  it('that calls its failure a price is found out after one fresh look', async () => {
    const { deps, poolQuarantine } = withTwin(() => [
      rig.programs.memo('slippage tolerance exceeded'),
      refused,
    ]);
    const answer = await swapOver(deps);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(poolQuarantine.holds(TWIN)).toBe(true);
  });

  it('is said plainly when nothing else trades, and nobody is held against whom nothing was compared with', async () => {
    const { deps, poolQuarantine } = withTwin(() => [refused]);
    const [venue] = deps.venues;
    const alone = {
      ...deps,
      venues: [
        {
          ...venue!,
          pools: async (...asked: Parameters<Venue['pools']>) =>
            (await venue!.pools(...asked)).map((pool) => ({ ...pool, swap: () => [refused] })),
        },
      ],
    };
    const answer = await swapOver(alone);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'SIMULATION_FAILED' });
    expect(warned).toEqual([]);
    expect(poolQuarantine.holds(TWIN)).toBe(false);
  });

  it('is taken in quarantine all the same where there is no other, and forgiven once it passes', async () => {
    const { poolQuarantine } = withTwin(() => []);
    const { mint } = rig.token('PUP');
    const pools = await rig.venues[0]!.pools(WSOL_MINT, mint);
    const only: Venue = {
      ...rig.venues[0]!,
      pools: async (a, b) => (a === mint || b === mint ? rig.venues[0]!.pools(WSOL_MINT, mint) : []),
      counterparts: async () => [],
    };
    const deps = { ...rig.deps, venues: [only], poolQuarantine };
    for (const pool of pools) poolQuarantine.failed(pool, new Error('test'));
    const answer = await swapOver(deps);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(pools.some(({ id }) => !poolQuarantine.holds(id))).toBe(true);
  });
});

describe('a pool that looks too good to be true', () => {
  const mint = () => rig.token('PUP').mint;
  const namesOfQuote = async (deps: TradeDeps, side: 'buy' | 'sell', hops: 'any' | 'direct' = 'any') => {
    const pools = await quoteSwap(
      { ...deps, ids: fakeIds() },
      {
        mintIn: side === 'buy' ? WSOL_MINT : mint(),
        mintOut: side === 'buy' ? mint() : WSOL_MINT,
        amount: 100_000_000n,
        slippageBps: bps(100),
        ...(hops === 'direct' ? { filter: { ...EVERY_WAY, directOnly: true } } : {}),
      },
    );
    return pools.priced.route.legs.map(({ pool }) => pool.label);
  };

  it.each(['buy', 'sell'] as const)(
    'is in no quote of a %s when its swap fails or brings less',
    async (side) => {
      const honest: Parameters<typeof withTwin>[0] = (pool, order) => pool.swap(order);
      for (const swap of [() => [refused], honest]) {
        const { deps, rehearsing, poolQuarantine, simulated } = withTwin(swap, 140n);
        expect(await namesOfQuote(deps, side)).toContain('Twin');
        expect(await namesOfQuote(rehearsing, side)).not.toContain('Twin');
        expect(poolQuarantine.holds(TWIN)).toBe(true);
        const asked = simulated.length;
        expect(asked).toBeGreaterThan(0);
        expect(await namesOfQuote(rehearsing, side)).not.toContain('Twin');
        expect(simulated).toHaveLength(asked);
      }
    },
  );

  it.each(['buy', 'sell'] as const)('is quoted for a %s when it keeps its word', async (side) => {
    const { rehearsing, poolQuarantine, simulated } = withTwin(() => [refused], 1n);
    // Every pool beside a real one quotes half of what it gives, so that the real one looks too good.
    const halved = rehearsing.venues.map(
      (venue): Venue => ({
        ...venue,
        pools: async (...asked) =>
          (await venue.pools(...asked)).map((pool, index) => {
            const { shape: _, gains: __, ...plain } = pool;
            return index <= 1
              ? pool
              : { ...plain, quote: (mintIn, amountIn) => pool.quote(mintIn, amountIn) / 2n };
          }),
      }),
    );
    const names = await namesOfQuote({ ...rehearsing, venues: halved }, side, 'direct');
    expect(names).toHaveLength(1);
    expect(names).not.toContain('Twin');
    expect(simulated.length).toBeGreaterThan(0);
    expect(warned).toEqual([]);
    expect(poolQuarantine.holds(TWIN)).toBe(false);
  });

  it('is compared by the whole way where it is alone between its tokens', async () => {
    const alone = (percent: bigint) => {
      const made = withTwin(() => [refused], percent);
      const venues = made.rehearsing.venues.map(
        (venue): Venue => ({
          ...venue,
          pools: async (...asked) => {
            const pools = await venue.pools(...asked);
            const isDirect = asked.includes(WSOL_MINT);
            return pools.filter(({ id }) => (isDirect ? id !== TWIN : id === TWIN));
          },
        }),
      );
      return { ...made, rehearsing: { ...made.rehearsing, venues } };
    };
    const lure = alone(140n);
    expect(await namesOfQuote({ ...lure.deps, venues: lure.rehearsing.venues }, 'buy')).toContain('Twin');
    expect(await namesOfQuote(lure.rehearsing, 'buy')).not.toContain('Twin');
    expect(lure.poolQuarantine.holds(TWIN)).toBe(true);
    const fair = alone(105n);
    expect(await namesOfQuote(fair.rehearsing, 'buy')).toContain('Twin');
    expect(fair.simulated).toEqual([]);
  });

  it('is not rehearsed up to a tenth above the next one', async () => {
    const { rehearsing, simulated } = withTwin(() => [refused], 110n);
    expect(await namesOfQuote(rehearsing, 'buy')).toContain('Twin');
    expect(simulated).toEqual([]);
  });

  it('stays where it cannot be tried: no answer says nothing of a pool', async () => {
    const { rehearsing, poolQuarantine } = withTwin(() => [refused], 140n);
    const poor = { ...rehearsing, poolRehearsal: async () => 'unknown' as const };
    expect(await namesOfQuote(poor, 'buy')).toContain('Twin');
    expect(poolQuarantine.holds(TWIN)).toBe(false);
  });

  it('is one of many at most three times', async () => {
    let asked = 0;
    const { deps, poolQuarantine } = withTwin(() => [refused], 140n);
    const [venue] = deps.venues;
    const many = Array.from({ length: 20 }, (_, index) => addressOf(100 + index));
    const crowded: TradeDeps = {
      ...deps,
      venues: [
        {
          ...venue!,
          pools: async (...pair) => {
            const pools = await venue!.pools(...pair);
            const twin = pools.find(({ id }) => id === TWIN);
            if (twin === undefined) return pools;
            return [
              ...pools,
              ...many.map((id, index) => ({
                ...twin,
                id,
                quote: (mintIn: typeof WSOL_MINT, amountIn: bigint) =>
                  twin.quote(mintIn, amountIn) * 2n ** BigInt(index + 1),
              })),
            ];
          },
        },
      ],
      poolRehearsal: async () => {
        asked += 1;
        return 'breaks';
      },
    };
    expect(await namesOfQuote(crowded, 'buy')).not.toContain('Twin');
    expect(asked).toBeLessThanOrEqual(3 * 4);
    expect(many.filter((id) => poolQuarantine.holds(id)).length).toBeLessThanOrEqual(asked);
  });
});

describe('a trade of the bot over a pool that fails', () => {
  const attempt = async (deps: TradeDeps, id: string, slippageBps: number) => {
    const quote = await quoteTrade(deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint: rig.token('PUP').mint,
      slippageBps: bps(slippageBps),
      tier: 'normal',
      amount: { lamports: 100_000_000n },
    });
    const { terms, tier, token } = quote;
    const params = { kind: 'buy', mint: token.mint, lamportsIn: terms.amountIn, terms, tier } as const;
    const signing = {
      db: fakeDatabase(),
      chain: rig.chain,
      compiler: rig.compiler,
      programs: rig.programs,
      clock: rig.deps.clock,
      ids: fakeIds(),
      plans: { buy: createBuyPlanBuilder(deps) } as never,
      vault: {
        sign: async ({ message }: { readonly message: Uint8Array }) => signMessage(rig.keypair, message),
      },
    };
    return {
      terms,
      made: buildAttempt(signing, buildIntent(id, params), buildWallet(rig.wallet), 1),
    };
  };

  it('goes over another pool within the confirmed minimum', async () => {
    const { deps, poolQuarantine } = withTwin(() => [refused]);
    const { terms, made } = await attempt(deps, '01J8ZQ6Y7V3M9T2K4C5D6E7F50', 2_000);
    expect(terms.route.map(({ venue }) => venue)).toContain('Twin');
    expect((await made).terms?.route.map(({ venue }) => venue)).not.toContain('Twin');
    expect(poolQuarantine.holds(TWIN)).toBe(true);
  });

  it('says that the price moved below it, and the next quote does not show that pool', async () => {
    const { deps } = withTwin(() => [refused]);
    const { made } = await attempt(deps, '01J8ZQ6Y7V3M9T2K4C5D6E7F51', 100);
    await expect(made).rejects.toMatchObject({ code: 'PRICE_MOVED' });
    const { terms, made: again } = await attempt(deps, '01J8ZQ6Y7V3M9T2K4C5D6E7F52', 100);
    expect(terms.route.map(({ venue }) => venue)).not.toContain('Twin');
    await again;
  });
});
