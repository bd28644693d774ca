import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerAt,
  capacityIn,
  extentOf,
  marginalAt,
  outputBound,
  outputFor,
  ROW,
  surplusAt,
  surplusBound,
} from '../src/curve.ts';
import { feeGains, type PoolShape } from '../src/routable-pool.ts';
import { BIN_SMOOTHING, buildCurve } from '../src/segments.ts';

const reserve = fc.bigInt({ min: 1_000_000n, max: 10n ** 15n });
const pair = fc.tuple(reserve, reserve);

const shape: fc.Arbitrary<PoolShape> = fc.oneof(
  pair.map((reserves): PoolShape => ({ kind: 'constant-product', reserves })),
  fc.tuple(pair, pair).map(
    ([virtualReserves, real]): PoolShape => ({
      kind: 'launch-curve',
      virtualReserves,
      realReserves: [real[0] % virtualReserves[0], real[1] % virtualReserves[1]],
    }),
  ),
  fc
    .tuple(
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.array(fc.bigInt(10n ** 6n, 10n ** 12n), { minLength: 1, maxLength: 8 }),
    )
    .map(
      ([sqrtPrice, depths]): PoolShape => ({
        kind: 'concentrated',
        sqrtPrice,
        liquidity: depths.reduce((sum, depth) => sum + depth, 0n),
        // Nested ranges around the price.
        ticks: [
          ...depths.map((depth, n) => ({ sqrtPrice: sqrtPrice * (0.5 + 0.05 * n), liquidityNet: depth })),
          ...depths.map((depth, n) => ({ sqrtPrice: sqrtPrice * (1.1 + 0.05 * n), liquidityNet: -depth })),
        ],
      }),
    ),
  fc.tuple(fc.integer({ min: 1, max: 125 }), fc.array(pair, { minLength: 1, maxLength: 9 })).map(
    ([step, amounts]): PoolShape => ({
      kind: 'bins',
      bins: amounts.map((reserves, n) => ({ price: 3 * (1 + step / 1e4) ** n, reserves })),
      activeBin: Math.floor(amounts.length / 2),
      activeIsExact: true,
    }),
  ),
);

const curve = fc
  .tuple(
    shape,
    fc.constantFrom(0 as const, 1 as const),
    fc.constantFrom(100, 3_000, 10_000),
    fc.constantFrom('input' as const, 'second-token' as const),
    fc.constantFrom(0, BIN_SMOOTHING),
  )
  .map(([pool, direction, feePpm, side, smoothing]) =>
    buildCurve(pool, direction, feeGains(feePpm, side)[direction], smoothing),
  )
  .filter(({ spot }) => spot > 0);

const part = fc.double({ min: 1e-6, max: 0.999, noNaN: true });

/** An amount that the curve can use, at any size. */
function usable(c: Parameters<typeof capacityIn>[0], share: number): number {
  const capacity = capacityIn(c);
  return Number.isFinite(capacity) ? capacity * share : (1e9 * share) / (1 - share);
}

/** A range so narrow that doubles hardly tell its ends apart: its input is mostly rounding, and it sells next to nothing. */
function isSliver({ rows, segments }: Parameters<typeof capacityIn>[0]): boolean {
  return Array.from({ length: segments }, (_, n) => n * ROW).some((row) => {
    const [s0 = 0, s1 = 0, depth = 0] = rows.subarray(row, row + 3);
    return Number.isFinite(depth) && 1 - s1 / s0 < 1e-6;
  });
}

describe('a curve', () => {
  it('gives more for more, and ever less for each further unit', () => {
    fc.assert(
      fc.property(curve, part, part, (c, a, b) => {
        const x = usable(c, a);
        const y = usable(c, b);
        const [low, high] = x < y ? [x, y] : [y, x];
        // The search runs on doubles: neighbours may differ in their last bits. Exact amounts come from the pools' own quotes.
        expect(outputFor(c, high)).toBeGreaterThanOrEqual(outputFor(c, low) * (1 - 1e-9));
        expect(outputFor(c, (low + high) / 2) * 2).toBeGreaterThanOrEqual(
          (outputFor(c, low) + outputFor(c, high)) * (1 - 1e-9),
        );
        expect(outputFor(c, high)).toBeLessThanOrEqual(high * c.spot * (1 + 1e-9));
      }),
    );
  });

  it('has as marginal rate the slope of its output', () => {
    fc.assert(
      fc.property(curve, part, (c, a) => {
        const x = usable(c, a);
        const h = x * 1e-4;
        const right = (outputFor(c, x + h) - outputFor(c, x)) / h;
        const left = (outputFor(c, x) - outputFor(c, x - h)) / h;
        const marginal = marginalAt(c, x);
        // Concave: the slope at x lies between the chords on both sides of it.
        expect(marginal).toBeLessThanOrEqual(left * (1 + 1e-6) + 1e-12);
        expect(marginal).toBeGreaterThanOrEqual(Math.min(right, marginal) * (1 - 1e-6));
        expect(marginal).toBeGreaterThanOrEqual(right * (1 - 1e-6) - 1e-12);
      }),
    );
  });

  it('earns at given prices at least what any trade earns, and exactly what its own answer earns', () => {
    fc.assert(
      fc.property(curve, fc.double({ min: 0.2, max: 1.2, noNaN: true }), part, (c, ratio, a) => {
        const priceIn = c.spot * ratio;
        const surplus = surplusAt(c, priceIn, 1);
        const x = usable(c, a);
        // An output is a difference of reserves: it is known to their last places, however small it is.
        const rounding =
          1e-9 * Math.max(1, x * priceIn) + 1e-15 * Math.max(...c.rows.filter(Number.isFinite));
        expect(surplus).toBeGreaterThanOrEqual(outputFor(c, x) - priceIn * x - rounding);

        const answer = new Float64Array(4);
        answerAt(c, priceIn, 1, answer);
        const [bestIn = 0, bestOut = 0, slope = 0, profit = 0] = answer;
        const traded = Math.max(1, bestOut);
        expect(Math.abs(outputFor(c, bestIn) - bestOut)).toBeLessThanOrEqual(1e-6 * traded);
        expect(Math.abs(bestOut - priceIn * bestIn - profit)).toBeLessThanOrEqual(1e-6 * traded);
        expect(Math.abs(profit - surplus)).toBeLessThanOrEqual(1e-12 * traded);
        expect(slope).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('never earns more than its bound, and as a constant product just that', () => {
    fc.assert(
      fc.property(curve, fc.double({ min: 1e-3, max: 0.999, noNaN: true }), (c, ratio) => {
        fc.pre(!isSliver(c));
        const priceIn = c.spot * ratio;
        const { holds, deepest } = extentOf(c);
        const surplus = surplusAt(c, priceIn, 1);
        const bound = surplusBound(c.spot, holds, deepest, priceIn, 1);
        expect(bound).toBeGreaterThanOrEqual(surplus - 1e-8 * holds);
        expect(deepest).toBeGreaterThanOrEqual(holds * (1 - 1e-8));
        if (!Number.isFinite(capacityIn(c))) expect(bound).toBeLessThanOrEqual(surplus * (1 + 1e-6));
      }),
    );
  });

  it('never gives more than its bound, and as a constant product just that', () => {
    fc.assert(
      fc.property(curve, fc.double({ min: 0, max: 3, noNaN: true }), (c, part) => {
        fc.pre(!isSliver(c));
        const { holds, deepest } = extentOf(c);
        const x = Number.isFinite(capacityIn(c)) ? capacityIn(c) * part : (holds / c.spot) * part;
        const out = outputFor(c, x);
        const bound = outputBound(c.spot, holds, deepest, x);
        expect(bound).toBeGreaterThanOrEqual(out - 1e-8 * holds);
        if (!Number.isFinite(capacityIn(c))) expect(bound).toBeLessThanOrEqual(out * (1 + 1e-6));
      }),
    );
  });

  it('answers a lower price with more, as its slope says', () => {
    const c = buildCurve(
      { kind: 'constant-product', reserves: [10n ** 12n, 3n * 10n ** 12n] },
      0,
      { in: 0.997, out: 1 },
      0,
    );
    const at = (rate: number): readonly number[] => {
      const answer = new Float64Array(4);
      answerAt(c, rate, 1, answer);
      return [...answer];
    };
    const rate = c.spot * 0.9;
    const [x = 0, , slope = 0] = at(rate);
    const [nearby = 0] = at(rate * (1 - 1e-6));
    expect((nearby - x) / (rate * 1e-6) / slope).toBeCloseTo(1, 4);
  });

  it('gives nothing at all from a pool that is empty', () => {
    const c = buildCurve({ kind: 'constant-product', reserves: [0n, 5n] }, 0, { in: 1, out: 1 }, 0);
    expect(c.spot).toBe(0);
    expect(outputFor(c, 1e6)).toBe(0);
    expect(surplusAt(c, 1e-9, 1)).toBe(0);
  });

  it('stays flat beyond its end', () => {
    const c = buildCurve(
      { kind: 'bins', bins: [{ price: 2, reserves: [0n, 1000n] }], activeBin: 0, activeIsExact: true },
      0,
      { in: 1, out: 1 },
      0,
    );
    expect(capacityIn(c)).toBe(500);
    expect(outputFor(c, 250)).toBeCloseTo(500, 9);
    expect(outputFor(c, 10_000)).toBe(1000);
  });
});
