import { MAX_U64 } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps, bpsCeil, bpsFloor, minimumOut } from '../../../src/core/amounts/bps.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';

const amounts = fc.bigInt({ min: 0n, max: MAX_U64 });
const rates = fc.integer({ min: 0, max: 10_000 }).map((value) => bps(value));

describe('basis points', () => {
  it.each([-1, 10_001, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d, naming the field',
    (value) => {
      try {
        bps(value, 'slippageBps');
        expect.unreachable();
      } catch (error) {
        expect(hasCode(error, 'BPS_OUT_OF_RANGE') && error.details.field).toBe('slippageBps');
      }
    },
  );

  it('splits an amount without creating or losing a unit', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        expect(bpsFloor(amount, rate) + minimumOut(amount, rate)).toBe(amount);
        expect(bpsCeil(amount, rate) - bpsFloor(amount, rate)).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it('rounds a minimum up, so that rounding never widens the tolerance', () => {
    expect(minimumOut(3n, bps(5_000))).toBe(2n);
    expect(minimumOut(100n, bps(0))).toBe(100n);
    expect(minimumOut(100n, bps(10_000))).toBe(0n);
  });
});
