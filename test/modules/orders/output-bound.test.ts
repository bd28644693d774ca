import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { outputAtMost } from '../../../src/modules/orders/rules/output-bound.ts';
import { createPriceView } from '../../../src/modules/orders/rules/price-view.ts';
import { compareRates, type Rate } from '../../../src/modules/orders/rules/rate.ts';
import { classEdges } from '../../../src/modules/orders/rules/size-class.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const DOLLAR: Address = addressFromBytes(new Uint8Array(32).fill(99));
const reserve = fc.bigInt(1_000_000n, 10n ** 15n);

/** Pools of the pair with and without a curve that is known, and a way over a third token. */
const market = fc
  .array(
    fc.record({
      sol: reserve,
      token: reserve,
      feeBps: fc.bigInt(0n, 300n),
      kind: fc.constantFrom('curve', 'curve', 'plain', 'first half', 'second half'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) =>
    rows.map(({ kind, ...of }, index): Pool => {
      const mints: readonly [Address, Address] =
        kind === 'first half'
          ? [DOLLAR, WSOL_MINT]
          : kind === 'second half'
            ? [TOKEN, DOLLAR]
            : [TOKEN, WSOL_MINT];
      return buildPool({ id: index + 1, mints, ...of, ...(kind === 'plain' ? {} : { accounts: 6 }) });
    }),
  );

const viewOf = (pools: readonly Pool[]) =>
  createPriceView({
    mint: TOKEN,
    pools,
    slot: 7n,
    at: 0,
    how: 'followed',
    solUsd: null,
    feeBps: bps(100),
  });

const isAtMost = (low: Rate | null, high: Rate | null): boolean =>
  low === null || (high !== null && compareRates(low, high) <= 0);

it('no amount of a class gets a better or a worse rate than its bounds say, over random markets', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      market,
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: 5, max: 26 }),
      fc.nat(1_000),
      (pools, side, size, at) => {
        const view = viewOf(pools);
        const { lower, upper } = classEdges(size);
        const amount = lower + ((upper - lower) * BigInt(at)) / 1_000n;
        const exact = view.quote(side, amount);
        expect(isAtMost(exact, view.atMost(side, size))).toBe(true);
        expect(isAtMost(view.edge(side, size), view.edgeAtMost(side, size))).toBe(true);
        const least = view.atLeast(side, size);
        if (exact !== null) expect(isAtMost(least, exact)).toBe(true);
        expect(isAtMost(exact, view.quoteAtMost(side, amount))).toBe(true);
        if (exact !== null) expect(isAtMost(view.quoteAtLeast(side, amount), exact)).toBe(true);
        if (exact !== null) decided += 1;
      },
    ),
    { numRuns: 1_500, endOnFailure: true },
  );
  expect(decided).toBeGreaterThan(500);
});

it('is within a thousandth of the best division over two known curves, and far below the rate at zero size', () => {
  const pools = [
    buildPool({ id: 1, sol: 1_000_000_000_000n, token: 2_000_000_000_000n, accounts: 6 }),
    buildPool({ id: 2, sol: 300_000_000_000n, token: 600_000_000_000n, accounts: 6 }),
  ];
  const amount = 200_000_000_000n;
  // Both alike, so the best division is by depth: one curve of all of it.
  const [sol, token] = [1_300_000_000_000, 2_600_000_000_000];
  const best = (Number(amount) * 0.9975 * token) / (sol + Number(amount) * 0.9975);
  const bound = Number(outputAtMost(pools, WSOL_MINT, TOKEN, amount));
  expect(bound / best).toBeGreaterThanOrEqual(1);
  expect(bound / best).toBeLessThan(1.001);
  expect(bound / (Number(amount) * 2)).toBeLessThan(0.9);
});

it('knows no bound where there is no way', () => {
  expect(outputAtMost([buildPool({ mints: [TOKEN, DOLLAR] })], WSOL_MINT, TOKEN, 1_000n)).toBeNull();
});
