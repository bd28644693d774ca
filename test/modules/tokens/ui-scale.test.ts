import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  interestMultiplier,
  scaledMultiplier,
  scaleOf,
  shownUnits,
  unitsOfShown,
} from '../../../src/modules/tokens/rules/ui-scale.ts';

const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const multiplier = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

describe('a scale of shown amounts', () => {
  it('is the exact fraction of the float that the mint says', () => {
    fc.assert(
      fc.property(multiplier, (value) => {
        const scale = scaleOf(value);
        expect(scale === null ? 1 : Number(scale.numerator) / Number(scale.denominator)).toBe(value);
      }),
    );
  });

  it('never shows a holding as more than it may be typed as: what is read back is at most what is held', () => {
    fc.assert(
      fc.property(units, multiplier, (held, value) => {
        const scale = scaleOf(value);
        const back = unitsOfShown(shownUnits(held, scale), scale);
        expect(back).toBeLessThanOrEqual(held);
        // One unit and less than one shown unit are lost on the way.
        const lost = held - back;
        expect(shownUnits(lost > 1n ? lost - 1n : 0n, scale)).toBe(0n);
      }),
    );
  });

  it('shows what goes out as what comes in', () => {
    expect(shownUnits(-1_000_001n, scaleOf(1.05))).toBe(-shownUnits(1_000_001n, scaleOf(1.05)));
  });

  it.each([Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1e300, 5e-324, 1])('of %d is none', (value) => {
    expect(scaleOf(value)).toBeNull();
    expect(shownUnits(7n, null)).toBe(7n);
    expect(unitsOfShown(7n, undefined)).toBe(7n);
  });

  it('changes at the second that the mint says', () => {
    const config = { multiplier: 1.05, newer: 2, newerAt: 1_000n };
    expect([999, 999.9, 1_000, 1_001].map((now) => scaledMultiplier(config, now))).toEqual([
      1.05, 1.05, 2, 2,
    ]);
  });

  it('grows by interest at the rate of each time', () => {
    const year = 31_556_736n;
    const config = { startedAt: 0n, averageBps: 1_000, changedAt: year, bps: -500 };
    expect(interestMultiplier(config, Number(2n * year))).toBeCloseTo(Math.exp(0.1 - 0.05), 12);
  });
});
