import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import {
  defaultFloor,
  largestPart,
  leastPart,
  limitRate,
  stopTerms,
} from '../../../src/modules/orders/rules/fire-terms.ts';
import { compareRates, leastGot, type Rate } from '../../../src/modules/orders/rules/rate.ts';

const rates = fc.record({ got: fc.bigInt(1n, 10n ** 12n), given: fc.bigInt(1n, 10n ** 12n) });

it('never accepts less than the limit, and no unit more than that needs', () => {
  fc.assert(
    fc.property(
      rates,
      fc.bigInt(1n, 2n ** 64n),
      fc.integer({ min: 0, max: 5_000 }),
      (trigger, units, tolerance) => {
        const limit = limitRate(trigger, bps(tolerance));
        const least = leastGot(limit, units);
        expect(compareRates({ got: least, given: units }, limit)).toBeGreaterThanOrEqual(0);
        expect(compareRates({ got: least - 1n, given: units }, limit)).toBeLessThan(0);
      },
    ),
  );
});

it('sells nothing below the floor, and else within 10 % of the quote', () => {
  const floor: Rate = { got: 3n, given: 10n };
  expect(stopTerms(floor, 101n, 30n)).toEqual({ kind: 'below-floor', quoted: 30n, floor: 31n });
  expect(stopTerms(floor, 101n, 31n)).toEqual({ kind: 'fire', minimumOut: 31n });
  expect(stopTerms(floor, 101n, 101n)).toEqual({ kind: 'fire', minimumOut: 91n });
  expect(stopTerms(null, 101n, 5n)).toEqual({ kind: 'fire', minimumOut: 5n });
});

it('places a floor a quarter below the trigger', () => {
  expect(compareRates(defaultFloor({ got: 400n, given: 7n }), { got: 300n, given: 7n })).toBe(0);
});

it('asks of a part 20 % of the order and 0.05 SOL', () => {
  const sol = { got: 1n, given: 1n };
  expect(leastPart(1_000_000_001n, 1_000_000_001n, sol)).toBe(200_000_001n);
  expect(leastPart(100_000_000n, 100_000_000n, sol)).toBe(50_000_000n);
  expect(leastPart(100_000_000n, 30_000_000n, sol)).toBe(30_000_000n);
  // A unit worth 3 lamports: 16,666,667 of them are worth 0.05 SOL.
  expect(leastPart(20_000_000n, 20_000_000n, { got: 3n, given: 1n })).toBe(16_666_667n);
});

it('finds a part that meets the limit, with at most eight quotes', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1_000n, 10n ** 12n),
      fc.bigInt(1n, 10n ** 12n),
      rates,
      (remaining, depth, limit) => {
        let quotes = 0;
        const quote = (units: bigint): bigint => {
          quotes += 1;
          return (units * depth) / (depth + units);
        };
        const least = remaining / 5n;
        const meets = (units: bigint): boolean =>
          quote(units) > 0n && compareRates({ got: quote(units), given: units }, limit) >= 0;
        const part = largestPart(remaining, least, limit, quote);
        expect(quotes).toBeLessThanOrEqual(8);
        if (part === null) expect(meets(least)).toBe(false);
        else {
          expect(meets(part.units)).toBe(true);
          expect(part.quoted).toBe(quote(part.units));
          expect(part.units >= least && part.units <= remaining).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('comes within a sixty-fourth of the way of the largest part', () => {
  // Half a unit for each one, up to a million units.
  const quote = (units: bigint): bigint => (units * 1_000_000n) / (1_000_000n + units);
  const part = largestPart(5_000_000n, 1_000n, { got: 1n, given: 2n }, quote);
  expect(part !== null && part.units <= 1_000_000n && part.units > 1_000_000n - 4_999_000n / 64n).toBe(true);
});
