import { type Address, maxBigint, WSOL_MINT } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import { legMinimums } from '../../../src/modules/trading/rules/leg-minimums.ts';
import { buildPool, TOKEN } from './build-pool.ts';

const order = (amountIn: bigint) => ({ mintIn: WSOL_MINT, mintOut: TOKEN, amountIn });
const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
const pools = fc
  .array(fc.record({ token: units, sol: units, feeBps: fc.bigInt({ min: 0n, max: 500n }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) => rows.map((row, index) => buildPool({ id: index + 1, ...row })));

function reasonOf(refused: () => unknown): { readonly code: string; readonly details: unknown } {
  try {
    refused();
    return { code: 'none', details: null };
  } catch (error) {
    return error as { readonly code: string; readonly details: unknown };
  }
}

describe('chooseRoute', () => {
  it('takes the pool that gives most, whatever the order they come in', () => {
    fc.assert(
      fc.property(pools, units, (given, amountIn) => {
        const best = given.reduce((most, pool) => {
          const out = pool.quote(WSOL_MINT, amountIn);
          return maxBigint(out, most);
        }, 0n);
        fc.pre(best > 0n);
        const route = chooseRoute(given, order(amountIn));
        expect(route.amountOut).toBe(best);
        expect(route.legs.map((leg) => leg.shareBps)).toEqual([10_000]);
        expect(route.legs[0]?.pool.quote(WSOL_MINT, amountIn)).toBe(best);
        expect(chooseRoute(given.toReversed(), order(amountIn)).legs[0]?.pool.id).toBe(
          route.legs[0]?.pool.id,
        );
      }),
    );
  });

  it('carries the pool’s slot and both amounts', () => {
    const route = chooseRoute([buildPool({ slot: 42n })], order(1_000n));
    expect(route).toMatchObject({ ...order(1_000n), slot: 42n, amountOut: 996n });
  });

  it('refuses a swap into itself', () => {
    expect(() => chooseRoute([], { mintIn: TOKEN, mintOut: TOKEN, amountIn: 1n })).toThrow('SAME_TOKEN');
  });

  it('finds no route where no pool holds both mints', () => {
    const elsewhere = buildPool({ mints: [TOKEN, TOKEN] });
    expect(() => chooseRoute([elsewhere], order(1n))).toThrow('NO_ROUTE');
    expect(() => chooseRoute([], order(1n))).toThrow('NO_ROUTE');
  });

  it('tells an empty pool from an amount too small', () => {
    expect(() => chooseRoute([buildPool({ token: 0n })], order(10n ** 9n))).toThrow('INSUFFICIENT_LIQUIDITY');
    const dear = buildPool({ id: 1, token: 1_000n, sol: 10n ** 12n });
    const dearer = buildPool({ id: 2, token: 10n, sol: 10n ** 12n });
    const refused = () => chooseRoute([dearer, dear], order(5n));
    expect(refused).toThrow('AMOUNT_DUST');
    let minimum = 0n;
    try {
      refused();
    } catch (error) {
      minimum = (error as { details: { minimum: bigint } }).details.minimum;
    }
    expect(dear.quote(WSOL_MINT, minimum)).toBe(1n);
    expect(dear.quote(WSOL_MINT, minimum - 1n)).toBe(0n);
  });

  it('gives the true reason, whatever interval of amounts the pools take', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 16n }),
        (least, width, amountIn) => {
          const most = least + width;
          const curve = buildPool({ token: 10n ** 15n, sol: 10n ** 15n });
          const pool = {
            ...curve,
            quote: (_mint: Address, amount: bigint) => (amount >= least && amount <= most ? 1n : 0n),
          };
          const reason = reasonOf(() => chooseRoute([pool], order(amountIn)));
          // Doubling and halving may step over an interval that is narrower than their steps.
          if (amountIn < least && reason.code !== 'INSUFFICIENT_LIQUIDITY')
            expect(reason).toMatchObject({ code: 'AMOUNT_DUST', details: { minimum: least } });
          if (amountIn > most && reason.code !== 'INSUFFICIENT_LIQUIDITY')
            expect(reason).toMatchObject({ code: 'AMOUNT_ABOVE_DEPTH', details: { maximum: most } });
          if (most >= 2n * least && (amountIn < least || amountIn > most))
            expect(reason.code).not.toBe('INSUFFICIENT_LIQUIDITY');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('tells the price impact of the size alone', () => {
    const pool = buildPool({ feeBps: 100n });
    expect(chooseRoute([pool], order(1_000_000n)).priceImpactBps).toBe(10);
    // A tenth of the reserve: out = 0.0901 instead of 0.099 of it.
    expect(chooseRoute([pool], order(100_000_000n)).priceImpactBps).toBe(901);
    expect(chooseRoute([pool], order(1_000_000_000_000n)).priceImpactBps).toBeGreaterThan(9_980);
  });

  it('grows no smaller in impact as the order grows', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10_000n, max: 10n ** 12n }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        (a, more) => {
          const impact = (amount: bigint) => chooseRoute([buildPool()], order(amount)).priceImpactBps;
          // One unit of rounding is worth up to a basis point at the small end.
          expect(impact(a + more)).toBeGreaterThanOrEqual(impact(a) - 2);
          expect(impact(a)).toBeGreaterThanOrEqual(0);
          expect(impact(a)).toBeLessThanOrEqual(10_000);
        },
      ),
    );
  });
});

describe('legMinimums', () => {
  it('sums to the wanted minimum or just above, no leg above its quote', () => {
    const split = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(split, fc.nat(10_000), (outs, share) => {
        const total = outs.reduce((sum, out) => sum + out, 0n);
        const minOut = (total * BigInt(share)) / 10_000n;
        const single = chooseRoute([buildPool()], order(1_000n));
        const [leg] = single.legs;
        const route = {
          ...single,
          amountOut: total,
          legs: outs.map((amountOut) => ({ ...leg!, amountOut })),
        };
        const minimums = legMinimums(route, minOut);
        const sum = minimums.reduce((a, b) => a + b, 0n);
        expect(sum).toBeGreaterThanOrEqual(minOut);
        expect(sum).toBeLessThan(minOut + BigInt(outs.length));
        minimums.forEach((minimum, index) => {
          expect(minimum).toBeLessThanOrEqual(outs[index]!);
        });
      }),
    );
  });

  it('refuses a minimum above the quote', () => {
    const route = chooseRoute([buildPool()], order(1_000n));
    expect(() => legMinimums(route, route.amountOut + 1n)).toThrow(RangeError);
  });
});
