import { addressFromBytes, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { createSellPlanBuilder } from '../../../src/engine/intents/kinds/sell/plan.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import { type BuildDeps, buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeRequest } from '../../../src/modules/trading/use/trade-quote.ts';
import type { TradeDeps } from '../../../src/modules/trading/use/trading-deps.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, signMessage, startDeskRig } from './desk-rig.ts';
import { createStubAggregator } from './stub-aggregator.ts';

const SEED = 'aggregator-trade';
let rig: DeskRig;
let stub: Awaited<ReturnType<typeof createStubAggregator>>;
let deps: TradeDeps;
beforeAll(async () => {
  rig = await startDeskRig(SEED);
  stub = await createStubAggregator(rig, SEED, 'PUP');
  deps = { ...rig.deps, aggregatorQuotes: stub.aggregatorQuotes };
});
afterAll(() => rig.stop());
beforeEach(() => stub.reset());

const id = (n: number) => `01J8ZQ6Y7V3M9T2K4C5D6E7F${n}`;
const settings = { slippageBps: bps(100), tier: 'normal' } as const;
const request = (amount = 500_000_000n): TradeRequest => ({
  side: 'buy',
  wallet: rig.wallet,
  mint: rig.token('PUP').mint,
  ...settings,
  amount: { lamports: amount },
});
const intentOf = async (n: number) => {
  const { terms, tier, token } = await quoteTrade(deps, request());
  return buildIntent(id(n), { kind: 'buy', mint: token.mint, terms, tier, lamportsIn: terms.amountIn });
};
const units = async () =>
  (await rig.chain.holdings(rig.wallet)).find(({ mint }) => mint === rig.token('PUP').mint)?.amount ?? 0n;

describe('a trade of the bot beside an aggregator', () => {
  it('is never priced over pools that grew old while the aggregator thought about it', async () => {
    let now = rig.deps.clock.now();
    const reads: number[] = [];
    const slow = (tookMs: number): TradeDeps => ({
      ...deps,
      clock: { now: () => now },
      venues: deps.venues.map((venue) => ({
        ...venue,
        pools: (a, b) => {
          if ([a, b].includes(rig.token('PUP').mint) && [a, b].includes(WSOL_MINT)) reads.push(now);
          return venue.pools(a, b);
        },
      })),
      aggregatorQuotes: {
        ...stub.aggregatorQuotes,
        offers: async (order) => {
          now += tookMs;
          return stub.aggregatorQuotes.offers(order);
        },
      },
    });
    const intent = await intentOf(20);
    const asks = {
      quote: (with_: TradeDeps) => quoteTrade(with_, request()),
      plan: (with_: TradeDeps) => createBuyPlanBuilder(with_)(intent, buildWallet(rig.wallet), ATTEMPT),
    };
    for (const ask of Object.values(asks)) {
      reads.length = 0;
      await ask(slow(deps.maxStateAgeMs));
      expect(new Set(reads).size).toBe(1);
      reads.length = 0;
      await ask(slow(deps.maxStateAgeMs + 1));
      expect(new Set(reads).size).toBe(2);
    }
  });

  it('is quoted and carried out by the aggregator where that brings more, and sold through it too', async () => {
    const own = await quoteTrade(deps, request());
    const better = own.terms.quotedOut + 1_000_000n;
    stub.offers({ amountOut: better });
    const intent = await intentOf(10);
    expect(intent.params.terms).toMatchObject({ quotedOut: better });
    expect(intent.params.terms.route).toMatchObject([{ venue: 'Stub Router', percent: 100 }]);
    const plan = await createBuyPlanBuilder(deps)(intent, buildWallet(rig.wallet), ATTEMPT);
    const before = await units();
    await rig.execute(plan, id(10));
    expect((await units()) - before).toBe(better);

    stub.offers({ amountOut: 900_000_000n });
    const sale = await quoteTrade(deps, {
      side: 'sell',
      wallet: rig.wallet,
      mint: rig.token('PUP').mint,
      ...settings,
      amount: { units: better },
    });
    const { terms, tier, token } = sale;
    const params = { kind: 'sell', mint: token.mint, terms, tier, amountIn: better } as const;
    const lamports = await rig.chain.balance(rig.wallet);
    const landed = await rig.execute(
      await createSellPlanBuilder(deps)(buildIntent(id(11), params), buildWallet(rig.wallet), ATTEMPT),
      id(11),
    );
    // 1 % of it is the platform fee.
    expect((await rig.chain.balance(rig.wallet)) - lamports).toBe(891_000_000n - landed.feeLamports);
  });

  it('counts whose price was the best at each comparison, and an answer that could not be used', async () => {
    const own = (await quoteTrade(deps, request())).terms.quotedOut;
    // Without an offer there is nothing to compare.
    expect(stub.counted).toEqual([]);
    stub.offers({ amountOut: own - 1n });
    await quoteTrade(deps, request());
    const one = { pairClass: 'other', gainBps: 0 };
    expect(stub.counted).toEqual([
      { ...one, source: 'own', outcome: 'offered' },
      { ...one, source: 'stub', outcome: 'offered' },
      { ...one, source: 'own', outcome: 'won' },
    ]);
    stub.counted.length = 0;
    stub.offers({ amountOut: own + own / 100n + 1n });
    await quoteTrade(deps, request());
    expect(stub.counted.at(-1)).toEqual({ ...one, source: 'stub', outcome: 'won', gainBps: 100 });
    stub.counted.length = 0;
    stub.aggregatorQuotes.passedOver('stub', 'simulate', { mintIn: WSOL_MINT, mintOut: own as never }, null);
    expect(stub.counted).toEqual([{ ...one, source: 'stub', outcome: 'failed' }]);
  });

  it('is asked for pairs of major tokens alone where the operator named no aggregator', async () => {
    stub.offers({ amountOut: 1n });
    const order = { mintOut: rig.token('PUP').mint, amountIn: 5n, ...settings, maxAccounts: 20 };
    expect(await stub.forMajors.offers({ ...order, mintIn: WSOL_MINT })).toEqual([]);
    const [, usd] = rig.deps.hubs;
    if (usd === undefined) throw new Error('the desk chain has a dollar');
    expect(await stub.forMajors.offers({ ...order, mintIn: WSOL_MINT, mintOut: usd })).toHaveLength(1);
    expect(stub.asked.at(-1)).toMatchObject({ mintOut: usd });
  });

  it('asks for a swap that fits without lookup tables', async () => {
    await quoteTrade(deps, request());
    expect(stub.asked.at(-1)?.maxAccounts).toBe(20);
  });

  const attempt = async (n: number) => {
    const wallet = buildWallet(rig.wallet);
    const intent = await intentOf(n);
    const signing: BuildDeps = {
      db: fakeDatabase(),
      chain: rig.chain,
      compiler: rig.compiler,
      programs: rig.programs,
      clock: rig.deps.clock,
      ids: fakeIds(),
      plans: { buy: createBuyPlanBuilder(deps) } as never,
      vault: {
        sign: async ({ message }) => {
          // The policy of the product, with the token program as nobody's router.
          assertPolicy(message, { intent, wallet: rig.wallet, treasury: rig.treasury, venuePrograms: [] });
          return signMessage(rig.keypair, message);
        },
      },
    };
    const made = await buildAttempt(signing, intent, wallet, 1);
    expect(await rig.chain.send(made.signedTransaction)).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    return made;
  };

  it.each([
    [
      20,
      'its simulation brings less',
      (out: bigint) => ({ brings: out / 2n }),
      /PRICE_MOVED|SIMULATION_FAILED/,
    ],
    [21, 'it is too large for a packet', () => ({ more: () => [oversized] }), /packet/],
    [22, 'the signing policy does not know it', () => ({}), /POLICY_DENIED/],
  ] as const)('is carried out by our own route when (%i) %s', async (n, _title, offer, why) => {
    const own = (await quoteTrade(deps, request())).terms.quotedOut;
    // Little enough that our own route still keeps the confirmed minimum.
    const amountOut = own + 1_000n;
    stub.offers({ amountOut, ...offer(amountOut) });
    const made = await attempt(n);
    expect(made.terms?.route.map(({ venue }) => venue)).not.toContain('Stub Router');
    expect(stub.passedOver).toMatchObject([{ step: 'simulate' }]);
    const err = stub.passedOver[0]?.err as { readonly code?: string };
    expect(err.code ?? String(err)).toMatch(why);
  });

  it('says that the price moved when neither keeps the confirmed minimum', async () => {
    const own = (await quoteTrade(deps, request())).terms.quotedOut;
    stub.offers({ amountOut: own * 2n });
    const intent = await intentOf(90);
    stub.offers(null);
    await expect(createBuyPlanBuilder(deps)(intent, buildWallet(rig.wallet), ATTEMPT)).rejects.toMatchObject({
      code: 'PRICE_MOVED',
    });
  });

  const oversized = {
    programId: TOKEN_PROGRAM,
    accounts: [{ address: addressFromBytes(new Uint8Array(32).fill(9)), signer: false, writable: false }],
    data: new Uint8Array(1_200),
  };
});
