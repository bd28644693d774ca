import { type TransferFee, transferFee } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pumpFun } from '../../../packages/venues/src/pump-fun/index.ts';
import { raydiumLaunchlab } from '../../../packages/venues/src/raydium-launchlab/index.ts';
import { buildCurve } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildLaunch } from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { type Brought, leastInput } from '../../../src/modules/trading/rules/least-input.ts';
import { buildPool } from './build-pool.ts';
import { BOUGHT, SOLD, STEP_POOLS } from './router-program/real-swaps.ts';

/** One pool of each venue whose arithmetic is its own. */
const POOLS: Readonly<Record<string, () => Pool>> = {
  ...Object.fromEntries(
    Object.entries(STEP_POOLS).map(([name, make]) => [name, () => make([SOLD, BOUGHT], 0)] as const),
  ),
  'raydium-launchlab': () => poolOf(raydiumLaunchlab, buildLaunch()),
  'pump-fun': () => poolOf(pumpFun, buildCurve()),
};
const counted = (curve: (amountIn: bigint) => Brought) => {
  const asked: bigint[] = [];
  return {
    asked,
    bring: async (amountIn: bigint): Promise<Brought> => {
      asked.push(amountIn);
      return curve(amountIn);
    },
  };
};

describe('the least input', () => {
  it('is the inverse of a curve, whatever its steps, for every guess', async () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, amount, async (token, sol, wanted, guess) => {
        const pool = buildPool({ token, sol });
        const [mint] = pool.mints;
        const { bring, asked } = counted((amountIn) => pool.quote(mint, amountIn));
        const found = await leastInput(wanted, bring, guess);
        if (found === null) {
          expect(pool.quote(mint, (1n << 64n) - 1n)).toBeLessThan(wanted);
          return;
        }
        expect(pool.quote(mint, found)).toBeGreaterThanOrEqual(wanted);
        expect(found === 1n ? 0n : pool.quote(mint, found - 1n)).toBeLessThan(wanted);
        expect(asked.length).toBeLessThan(150);
      }),
      // Ends of pools, where a unit more of output takes a thousandth more of input.
      {
        numRuns: 2_000,
        examples: [
          [9n, 999_999_999_999_998n, 999_999_999_999_995n, 483_188_910_892_511n],
          [216_356_186_267_613n, 841_838_293_407_975n, 836_162_188_566_408n, 266_102_783_109_086n],
        ],
        // A failure ends the run: to make its example smaller takes hours here.
        endOnFailure: true,
      },
    );
  });

  it.each(Object.keys(POOLS))('is exact over the arithmetic of %s, both ways', async (name) => {
    const pool = POOLS[name]?.();
    if (pool === undefined) throw new Error('no such pool');
    for (const mint of pool.mints) {
      const most = pool.quote(mint, 10_000_000_000n);
      for (const wanted of [1n, 7n, 1_000n, most / 1_000n, most / 3n].filter(
        (out) => out > 0n && out <= most,
      )) {
        const { bring, asked } = counted((amountIn) => pool.quote(mint, amountIn));
        const { numerator, denominator } = pool.spot(mint);
        const found = (await leastInput(wanted, bring, (wanted * denominator) / numerator)) ?? 0n;
        expect(pool.quote(mint, found)).toBeGreaterThanOrEqual(wanted);
        expect(found <= 1n ? 0n : pool.quote(mint, found - 1n)).toBeLessThan(wanted);
        expect(asked.length).toBeLessThan(80);
      }
    }
  });

  it('is null where the pools hold less, and found right below the most that they take', async () => {
    const curve = (most: bigint) => counted((amountIn) => (amountIn > most ? { most } : amountIn / 3n)).bring;
    expect(await leastInput(34n, curve(99n), 1n)).toBeNull();
    expect(await leastInput(34n, curve(102n), 10n ** 18n)).toBe(102n);
    expect(await leastInput(33n, curve(99n), 5_000n)).toBe(99n);
  });

  it('is null for a token that withholds all of each transfer, after few questions', async () => {
    const rate = { bps: 10_000, maximum: (1n << 64n) - 1n };
    const all: TransferFee = { authority: null, older: rate, newer: rate, newerEpoch: 0n };
    const pool = buildPool({ token: 10n ** 15n, sol: 10n ** 13n });
    const { bring, asked } = counted((amountIn) => {
      const out = pool.quote(pool.mints[0], amountIn);
      return out - transferFee(all, out, 5n);
    });
    expect(await leastInput(1n, bring, 1_000n)).toBeNull();
    expect(asked.length).toBeLessThan(80);
  });

  it('asks few questions of a deep pool with a guess by its rate', async () => {
    const pool = buildPool({ token: 10n ** 15n, sol: 10n ** 13n });
    const { bring, asked } = counted((amountIn) => pool.quote(pool.mints[0], amountIn));
    await leastInput(12_345_678_901n, bring, 1_234_567_890_100n);
    expect(asked.length).toBeLessThan(40);
  });
});
