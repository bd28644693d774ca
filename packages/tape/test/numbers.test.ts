import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changePercent, comparePrices, exactPrice, subtractDecimals, tenDigits } from '../src/price.ts';
import { firstIdOfSlot, slotOfTrade, tradeId } from '../src/trade-id.ts';
import { tradePlace } from './trade-place.ts';

const units = fc.bigInt(1n, 2n ** 64n - 1n);
const decimals = fc.record({ baseDecimals: fc.nat(18), quoteDecimals: fc.nat(18) });

it('numbers a trade by its place, in the order of the chain, and gives the place back', () => {
  const place = fc.record({
    slot: fc.bigInt(0n, 2n ** 32n - 1n),
    index: fc.nat(32_767),
    ordinal: fc.nat(63),
  });
  fc.assert(
    fc.property(place, place, (one, other) => {
      const [a, b] = [tradeId(one), tradeId(other)];
      if (a === null || b === null) throw new Error('no number');
      expect(tradePlace(a)).toEqual(one);
      expect(slotOfTrade(a)).toBe(one.slot);
      expect(BigInt(Number(a))).toBe(a);
      expect(a >= firstIdOfSlot(one.slot) && a < firstIdOfSlot(one.slot + 1n)).toBe(true);
      if (one.slot < other.slot) expect(a < b).toBe(true);
    }),
  );
});

it('gives no number where a part does not fit', () => {
  const fits = { slot: 1n, index: 1, ordinal: 1 };
  expect(tradeId(fits)).toBe(2n ** 21n + 64n + 1n);
  for (const change of [
    { slot: -1n },
    { slot: 2n ** 32n },
    { index: 32_768 },
    { index: -1 },
    { index: 0.5 },
    { ordinal: 64 },
    { ordinal: -1 },
  ])
    expect(tradeId({ ...fits, ...change })).toBeNull();
});

it('cuts a price off after 18 significant digits, and never rounds it up', () => {
  fc.assert(
    fc.property(units, units, decimals, (base, quote, of) => {
      const price = exactPrice({ base, quote }, of);
      expect(price).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      const [whole = '', fraction = ''] = price.split('.');
      const digits = BigInt(`${whole}${fraction}`);
      const scale = BigInt(fraction.length);
      // price ≤ quote·10^baseDecimals / (base·10^quoteDecimals) < price·(1 + 10^−17)
      const exact = quote * 10n ** BigInt(of.baseDecimals) * 10n ** scale;
      const shown = digits * base * 10n ** BigInt(of.quoteDecimals);
      expect(shown <= exact).toBe(true);
      expect((exact - shown) * 10n ** 17n < exact).toBe(true);
    }),
  );
  expect(exactPrice({ base: 3n, quote: 1n }, { baseDecimals: 0, quoteDecimals: 0 })).toBe(
    '0.333333333333333333',
  );
  expect(exactPrice({ base: 2n, quote: 3_000n }, { baseDecimals: 0, quoteDecimals: 0 })).toBe('1500');
});

it('compares and subtracts prices as the fractions that they are', () => {
  fc.assert(
    fc.property(units, units, units, decimals, (base, quote, more, of) => {
      const price = exactPrice({ base, quote }, of);
      const higher = exactPrice({ base, quote: quote + more }, of);
      expect(comparePrices(price, price)).toBe(0);
      expect(subtractDecimals(price, price)).toBe('0');
      expect(comparePrices(price, higher) < 0).toBe(price !== higher);
      expect(comparePrices(higher, price) > 0).toBe(price !== higher);
      const difference = subtractDecimals(higher, price);
      expect(subtractDecimals(higher, difference)).toBe(price);
    }),
  );
  expect(comparePrices('9.5', '10.2')).toBeLessThan(0);
  expect(comparePrices('0.12', '0.119')).toBeGreaterThan(0);
  expect(subtractDecimals('1', '2.5')).toBe('-1.5');
});

it('prints ten digits, cut off, and a change in percent with two', () => {
  expect(tenDigits('0.00000012')).toBe('0.0000001200');
  expect(tenDigits('1500')).toBe('1500.0000000000');
  expect(tenDigits('0.12345678909')).toBe('0.1234567890');
  expect(changePercent('3', '2')).toBe(50);
  expect(changePercent('1', '3')).toBe(-66.67);
  expect(changePercent('1', null)).toBeNull();
  expect(changePercent('1', '0')).toBeNull();
});
