import { type Address, addressFromBytes, maxBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { bestChain } from '../../../src/modules/trading/rules/best-chain.ts';
import { chooseRoute, legCostIn } from '../../../src/modules/trading/rules/choose-route.ts';
import { hopMarginBps } from '../../../src/modules/trading/rules/hop-margin.ts';
import { legMinimums } from '../../../src/modules/trading/rules/leg-minimums.ts';
import type { Route } from '../../../src/modules/trading/rules/route.ts';
import { outputOf } from '../../../src/modules/trading/rules/settle-hops.ts';
import { buildPool, TOKEN } from './build-pool.ts';

const SOL = 10n ** 9n;
const mint = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n, 0, 31).fill(9, 31));
const USD = mint(101);
const MID = mint(102);
const MINTS = [WSOL_MINT, TOKEN, USD, MID] as const;

const order = (amountIn: bigint, hopMarginBps = 0) => ({
  mintIn: WSOL_MINT,
  mintOut: TOKEN,
  amountIn,
  hopMarginBps,
});

const markets = fc
  .array(
    fc.record({
      a: fc.nat(3),
      b: fc.nat(3),
      token: fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }),
      sol: fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }),
      feeBps: fc.bigInt({ min: 1n, max: 300n }),
      exact: fc.boolean(),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((rows) =>
    rows
      .filter(({ a, b }) => a !== b)
      .map(({ a, b, exact, ...rest }, index): Pool => {
        const pool = buildPool({ id: index + 1, accounts: 3, mints: [MINTS[a]!, MINTS[b]!], ...rest });
        return exact ? { ...pool, exactOut: true } : pool;
      }),
  );

/** Everything that a chain of separate instructions needs to go through. */
function expectExecutable(route: Route, marginBps: number): void {
  const funded = new Map<Address, bigint>([[route.mintIn, route.amountIn]]);
  const left = new Map<Address, bigint>();
  const spentOf = new Map<Address, number>();
  for (const leg of route.legs) {
    expect(leg.amountOut).toBe(leg.pool.quote(leg.mintIn, leg.amountIn));
    const balance = (funded.get(leg.mintIn) ?? 0n) - leg.amountIn;
    expect(balance).toBeGreaterThanOrEqual(0n);
    funded.set(leg.mintIn, balance);
    spentOf.set(leg.mintIn, (spentOf.get(leg.mintIn) ?? 0) + leg.shareBps);
    if (leg.mintOut === route.mintOut) {
      expect(leg.leastOut).toBeNull();
      continue;
    }
    const least = leg.leastOut!;
    expect(least).toBe(
      leg.pool.exactOut ? leg.amountOut : (leg.amountOut * BigInt(10_000 - marginBps)) / 10_000n,
    );
    funded.set(leg.mintOut, (funded.get(leg.mintOut) ?? 0n) + least);
    left.set(leg.mintOut, (left.get(leg.mintOut) ?? 0n) + leg.amountOut - least);
  }
  // Nothing that surely arrives lies about; only what may come beyond it stays.
  for (const balance of funded.values()) expect(balance).toBe(0n);
  for (const share of spentOf.values()) expect(share).toBe(10_000);
  expect(route.remainders).toEqual(
    [...left].filter(([, units]) => units > 0n).map(([one, units]) => ({ mint: one, units })),
  );
  expect([...route.intermediates]).toEqual([...left.keys()]);
  const least = (route.amountOut * 95n) / 100n;
  const minimums = legMinimums(route, least);
  const into = route.legs.flatMap((leg, index) => (leg.leastOut === null ? [minimums[index]!] : []));
  expect(into.reduce((a, b) => a + b, 0n)).toBeGreaterThanOrEqual(least);
  for (const [index, leg] of route.legs.entries()) {
    if (leg.leastOut !== null) expect(minimums[index]).toBe(leg.leastOut);
  }
}

describe('a route over several tokens', () => {
  it('funds every hop with what the one before surely brings, and never falls below a single pool or path', () => {
    fc.assert(
      fc.property(
        markets,
        fc.bigInt({ min: 10_000n, max: 10n ** 13n }),
        fc.integer({ min: 0, max: 50 }),
        (pools, amountIn, marginBps) => {
          const wanted = order(amountIn, marginBps);
          const chain = bestChain(pools, wanted);
          const single = pools
            .filter((pool) => pool.mints.includes(WSOL_MINT) && pool.mints.includes(TOKEN))
            .reduce((most, pool) => maxBigint(most, pool.quote(WSOL_MINT, amountIn)), 0n);
          fc.pre(single > 0n || chain !== null);
          const route = chooseRoute(pools, wanted);
          expectExecutable(route, marginBps);
          expect(route.singlePoolOut).toBe(single > 0n ? single : null);
          const cost = legCostIn(pools, wanted);
          if (single > 0n) {
            expect(route.amountOut - cost * BigInt(route.legs.length - 1)).toBeGreaterThanOrEqual(single);
          }
          // Beside the legs, a path may be passed over for the rent of the accounts in which it leaves something.
          if (chain !== null && marginBps === 0) {
            expect(route.amountOut - cost * BigInt(route.legs.length - 1)).toBeGreaterThanOrEqual(
              outputOf(chain) - cost * BigInt(chain.length - 1),
            );
          }
          expect(route.priceImpactBps).toBeGreaterThanOrEqual(0);
          expect(route.priceImpactBps).toBeLessThanOrEqual(10_000);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('takes the way through another token where it is the only one', () => {
    const pools = [
      buildPool({ id: 1, accounts: 3, mints: [WSOL_MINT, USD], token: 100n * SOL, sol: 10n ** 11n }),
      buildPool({ id: 2, accounts: 3, mints: [USD, TOKEN], token: 10n ** 11n, sol: 10n ** 12n }),
    ];
    const route = chooseRoute(pools, order(SOL));
    expect(route.legs.map(({ pool }) => pool.id)).toEqual(pools.map(({ id }) => id));
    expect(route).toMatchObject({ intermediates: [USD], remainders: [], singlePoolOut: null });
    const there = pools[0]!.quote(WSOL_MINT, SOL);
    expect(route.amountOut).toBe(pools[1]!.quote(USD, there));
  });

  it('passes through two tokens, splits where that pays, and counts the size of every hop as impact', () => {
    const deep = { accounts: 1, token: 10n ** 12n, sol: 10n ** 12n };
    const pools = [
      buildPool({ id: 1, ...deep, mints: [WSOL_MINT, USD] }),
      buildPool({ id: 2, ...deep, mints: [WSOL_MINT, USD] }),
      buildPool({ id: 3, ...deep, mints: [USD, MID] }),
      buildPool({ id: 4, ...deep, mints: [MID, TOKEN] }),
    ];
    const route = chooseRoute(pools, order(10n ** 11n));
    expect(route.intermediates).toEqual([USD, MID]);
    expect(route.legs.map(({ shareBps }) => shareBps)).toEqual([5_000, 5_000, 10_000, 10_000]);
    // A tenth of the depth, halved at the first hop: about 5 %, 9 % and 8 % one after another.
    expect(route.priceImpactBps).toBeGreaterThan(1_900);
    expect(route.priceImpactBps).toBeLessThan(2_400);
  });

  it('prefers a little less output to an account that would stay open for a remainder', () => {
    const direct = buildPool({ id: 1, accounts: 3, token: 10n ** 12n, sol: 10n ** 12n, feeBps: 40n });
    const via = [
      buildPool({
        id: 2,
        accounts: 3,
        mints: [WSOL_MINT, USD],
        token: 10n ** 12n,
        sol: 10n ** 12n,
        feeBps: 1n,
      }),
      buildPool({ id: 3, accounts: 3, mints: [USD, TOKEN], token: 10n ** 12n, sol: 10n ** 12n, feeBps: 1n }),
    ];
    const amount = SOL / 10n;
    expect(chooseRoute([direct, ...via], order(amount)).intermediates).toEqual([USD]);
    // By the rent of before November, and by a tenth of it, which weighs less than what the detour brings.
    const tried = { ...order(amount, 10), tokenAccountRent: 2_039_280n };
    expect(chooseRoute([direct, ...via], tried).intermediates).toEqual([]);
    expect(chooseRoute([direct, ...via], { ...tried, tokenAccountRent: 203_928n }).intermediates).toEqual([
      USD,
    ]);
    const exact = via.map((pool): Pool => ({ ...pool, exactOut: true }));
    expect(chooseRoute([direct, ...exact], tried).intermediates).toEqual([USD]);
  });

  it('keeps within one transaction', () => {
    const pools = [
      buildPool({ id: 1, accounts: 12, mints: [WSOL_MINT, USD] }),
      buildPool({ id: 2, accounts: 12, mints: [USD, TOKEN] }),
    ];
    expect(() => chooseRoute(pools, order(1_000_000n))).toThrow('ROUTE_TOO_LARGE');
    const entries = [1, 2].flatMap((id) =>
      Array.from({ length: 12 }, (_, index) =>
        addressFromBytes(new Uint8Array(32).fill(id).fill(index + 1, 0, 4)),
      ),
    );
    const lookupTables = [{ address: mint(103), entries }];
    expect(chooseRoute(pools, { ...order(1_000_000n), lookupTables }).legs).toHaveLength(2);
  });
});

describe('hopMarginBps', () => {
  it('is a tenth of the slippage, at most half a percent, and nothing without slippage', () => {
    expect([0, 9, 10, 100, 500, 10_000].map((slippage) => hopMarginBps(bps(slippage)))).toEqual([
      0, 0, 1, 10, 50, 50,
    ]);
  });
});
