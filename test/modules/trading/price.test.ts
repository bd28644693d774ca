import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  microUsd,
  midPrice,
  PRICE_SCALE,
  picoUsdPerToken,
  valueAt,
} from '../../../src/modules/trading/rules/price.ts';
import { buildPool, TOKEN } from './build-pool.ts';

describe('midPrice', () => {
  it('is the ratio of the reserves, nearly free of the fee', () => {
    // 2,000 tokens of 6 decimals against 3 SOL: 0.0015 SOL each.
    const pool = buildPool({ token: 2_000_000_000n, sol: 3_000_000_000n, feeBps: 100n });
    const price = midPrice(pool, TOKEN, 6)!;
    const exact = 1_500_000n * PRICE_SCALE;
    const offBy = price > exact ? price - exact : exact - price;
    expect(offBy * 10_000n).toBeLessThan(exact);
    expect(valueAt(price, 10_000_000n, 6)).toBeGreaterThan(14_999_000n);
  });

  it('is unknown for an empty pool', () => {
    expect(midPrice(buildPool({ sol: 0n }), TOKEN, 6)).toBeNull();
    expect(midPrice(buildPool({ token: 0n }), TOKEN, 6)).toBeNull();
  });

  it('lies between what selling brings and what buying costs', () => {
    const reserve = fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n });
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt({ min: 0n, max: 1_000n }), (token, sol, feeBps) => {
        const pool = buildPool({ token, sol, feeBps });
        const price = midPrice(pool, TOKEN, 0)!;
        const sell = pool.spot(TOKEN);
        const bid = (PRICE_SCALE * sell.numerator) / sell.denominator;
        expect(price).toBeGreaterThanOrEqual(bid);
        expect(price).toBeLessThanOrEqual((bid * 10_000n * 10_000n) / (10_000n - feeBps) ** 2n + 2n);
      }),
    );
  });
});

describe('dollars', () => {
  it('keeps the digits of a tiny price', () => {
    const pool = buildPool({ token: 10n ** 15n, sol: 10n ** 9n, feeBps: 0n });
    const price = midPrice(pool, TOKEN, 6)!;
    // One lamport per token at 150 dollars a SOL: 0.00000015 dollars.
    expect(picoUsdPerToken(price, 150_000_000n)).toBe(150_000n);
  });

  it('values lamports', () => {
    expect(microUsd(500_000_000n, 150_000_000n)).toBe(75_000_000n);
    expect(microUsd(1n, 150_000_000n)).toBe(0n);
  });
});
