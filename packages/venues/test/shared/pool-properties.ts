import { expect } from 'vitest';
import type { ExchangePool } from '../../src/shared/exchange.ts';

/**
 * What holds for every pool whatever its formula. `caps` is the most that can leave per direction. Amounts must be
 * fillable or give 0. Rounding is allowed the worth of a few units on either side.
 */
export function expectPoolProperties(
  pool: ExchangePool,
  caps: readonly [bigint, bigint],
  amounts: readonly bigint[],
): void {
  for (const direction of [0, 1] as const) {
    const mintIn = pool.mints[direction];
    const cap = direction === 0 ? caps[1] : caps[0];
    const spot = pool.spot(mintIn);
    expect(pool.quote(mintIn, 0n)).toBe(0n);
    let before = 0n;
    for (const amount of [...amounts].sort((a, b) => (a < b ? -1 : 1))) {
      const out = pool.quote(mintIn, amount);
      if (out === 0n) continue;
      expect(out, `monotone at ${amount}`).toBeGreaterThanOrEqual(before);
      expect(out, `within reserves at ${amount}`).toBeLessThanOrEqual(cap);
      // Never better than the price at zero size, but for the worth of one rounded unit of input.
      expect(out * spot.denominator, `below spot at ${amount}`).toBeLessThanOrEqual(
        (amount + 2n) * spot.numerator + 2n * spot.denominator,
      );
      const half = pool.quote(mintIn, amount / 2n);
      const rest = pool.quote(mintIn, amount - amount / 2n);
      if (half > 0n && rest > 0n) {
        const slack = 6n + (6n * spot.numerator) / spot.denominator;
        expect(half + rest + slack, `concave at ${amount}`).toBeGreaterThanOrEqual(out);
      }
      before = out;
    }
  }
}
