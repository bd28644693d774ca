import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM, WSOL_MINT } from '../../../src/core/address/programs.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Instruction } from '../../../src/core/instruction.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import { createPoolQuarantine } from '../../../src/modules/trading/use/pool-quarantine.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeDeps } from '../../../src/modules/trading/use/trading-deps.ts';
import type { Pool, Venue } from '../../../src/platform/ports/venue.ts';
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
});
afterAll(() => rig.stop());
beforeEach(() => {
  warned = [];
});

/** The token program knows no such instruction: the simulation fails at it, and no log speaks of a price. */
const refused: Instruction = { programId: TOKEN_PROGRAM, accounts: [], data: new Uint8Array([254]) };

/** Beside each pool of the pair a copy that quotes more; `swap` is what comes of trading over it. */
function withTwin(swap: (pool: Pool, order: Parameters<Pool['swap']>[0]) => readonly Instruction[]) {
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
          quote: (mintIn, amountIn) => (first.quote(mintIn, amountIn) * 11n) / 10n,
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
  return { deps: { ...rig.deps, venues, poolQuarantine } satisfies TradeDeps, poolQuarantine, built };
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
