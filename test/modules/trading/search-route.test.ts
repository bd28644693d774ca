import { maxBigint, WSOL_MINT } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRoute, legCostIn } from '../../../src/modules/trading/rules/choose-route.ts';
import { legMinimums } from '../../../src/modules/trading/rules/leg-minimums.ts';
import { buildPool, TOKEN } from './build-pool.ts';

const order = (amountIn: bigint) => ({ mintIn: WSOL_MINT, mintOut: TOKEN, amountIn });
const SOL = 10n ** 9n;

const markets = fc
  .array(
    fc.record({
      token: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
      sol: fc.bigInt({ min: SOL, max: 10n ** 14n }),
      feeBps: fc.bigInt({ min: 1n, max: 500n }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) => rows.map((row, index) => buildPool({ id: index + 1, accounts: 4, ...row })));

describe('a split order', () => {
  it('is exact, spends everything, and never brings less than the best single pool', () => {
    fc.assert(
      fc.property(markets, fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }), (pools, amountIn) => {
        const best = pools.reduce((most, pool) => {
          const out = pool.quote(WSOL_MINT, amountIn);
          return maxBigint(out, most);
        }, 0n);
        fc.pre(best > 0n);
        const route = chooseRoute(pools, order(amountIn));
        expect(route.amountOut).toBeGreaterThanOrEqual(
          best + legCostIn(pools, order(amountIn)) * BigInt(route.legs.length - 1),
        );
        expect(route.legs.reduce((sum, leg) => sum + leg.amountIn, 0n)).toBe(amountIn);
        expect(route.legs.reduce((sum, leg) => sum + leg.amountOut, 0n)).toBe(route.amountOut);
        expect(route.legs.reduce((sum, leg) => sum + leg.shareBps, 0)).toBe(10_000);
        for (const leg of route.legs) {
          expect(leg.amountOut).toBe(leg.pool.quote(WSOL_MINT, leg.amountIn));
          expect(leg.shareBps % 100).toBe(0);
          expect(leg.shareBps).toBeGreaterThanOrEqual(100);
        }
        expect(new Set(route.legs.map(({ pool }) => pool.id)).size).toBe(route.legs.length);
        const minOut = (route.amountOut * 95n) / 100n;
        const least = legMinimums(route, minOut).reduce((sum, part) => sum + part, 0n);
        expect(least).toBeGreaterThanOrEqual(minOut);
        expect(least).toBeLessThan(minOut + BigInt(route.legs.length));
      }),
      { numRuns: 300 },
    );
  });

  it('comes within a millionth of the best division of two pools that a fine search finds', () => {
    const pools = [
      buildPool({ id: 1, accounts: 4, token: 25n * 10n ** 12n, sol: 250n * SOL, feeBps: 25n }),
      buildPool({ id: 2, accounts: 4, token: 5_970n * 10n ** 9n, sol: 60n * SOL, feeBps: 10n }),
    ] as const;
    const amountIn = 20n * SOL;
    let best = 0n;
    for (let part = 0n; part <= 2_000n; part++) {
      const first = (amountIn * part) / 2_000n;
      const out = pools[0].quote(WSOL_MINT, first) + pools[1].quote(WSOL_MINT, amountIn - first);
      if (out > best) best = out;
    }
    const route = chooseRoute(pools, order(amountIn));
    expect(route.legs.map(({ pool }) => pool.id)).toEqual([pools[0].id, pools[1].id]);
    expect(route.amountOut).toBeGreaterThanOrEqual(best - best / 1_000_000n);
  });

  it('gives the same route for the same pools in any order', () => {
    const pools = [1, 2, 3, 4].map((id) =>
      buildPool({ id, accounts: 4, sol: 100n * SOL, token: 10n ** 12n }),
    );
    const words = (given: typeof pools) =>
      chooseRoute(given, order(50n * SOL)).legs.map((leg) => [leg.pool.id, leg.amountIn]);
    expect(words(pools).length).toBeGreaterThan(1);
    expect(words(pools.toReversed()).length).toBe(words(pools).length);
  });

  it('stays with one pool where another would not pay for itself', () => {
    const pools = [1, 2].map((id) => buildPool({ id, accounts: 4, sol: 10_000n * SOL, token: 10n ** 14n }));
    expect(chooseRoute(pools, order(SOL / 100n)).legs).toHaveLength(1);
  });

  it('uses only as many pools as one transaction holds', () => {
    const pools = [1, 2, 3, 4].map((id) => buildPool({ id, accounts: 5, sol: 10n * SOL, token: 10n ** 12n }));
    const route = chooseRoute(pools, order(20n * SOL));
    expect(route.legs.length).toBeGreaterThan(1);
    expect(route.legs.length).toBeLessThan(4);
  });

  it('never splits over a pool that tells no shape', () => {
    const pools = [buildPool({ id: 1, accounts: 4 }), buildPool({ id: 2 })];
    expect(chooseRoute(pools, order(SOL)).legs).toHaveLength(1);
  });
});
