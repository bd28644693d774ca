import { MAX_U64 } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits, parseUnits } from '../../../src/core/amounts/decimal.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';

function reasonOf(text: string, decimals: number): string {
  try {
    return `accepted as ${parseUnits(text, decimals)}`;
  } catch (error) {
    if (hasCode(error, 'AMOUNT_INVALID')) return error.details.reason;
    throw error;
  }
}

describe('amounts typed by people', () => {
  it.each([
    ['0.5', 9, 500_000_000n],
    ['0,5', 9, 500_000_000n],
    ['.5', 9, 500_000_000n],
    [' 12 ', 6, 12_000_000n],
    ['1.500', 1, 15n],
    ['7', 0, 7n],
    ['18446744073709551615', 0, MAX_U64],
    ['1,234,567', 6, 1_234_567_000_000n],
    ['1,234.5', 6, 1_234_500_000n],
    ['0,125', 9, 125_000_000n],
    ['1234,500', 9, 1_234_500_000_000n],
  ])('reads %j with %i decimals exactly', (text, decimals, units) => {
    expect(parseUnits(text, decimals)).toBe(units);
  });

  it.each([
    ['', 'not-a-number'],
    ['abc', 'not-a-number'],
    ['1e5', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['1,500', 'ambiguous'],
    ['123,456', 'ambiguous'],
    ['1,00,000', 'not-a-number'],
    ['1,000,00', 'not-a-number'],
    ['1.000,5', 'not-a-number'],
    ['1 000', 'not-a-number'],
    ['1٣', 'not-a-number'],
    ['O.5', 'not-a-number'],
    ['½', 'not-a-number'],
    ['1，500', 'ambiguous'],
    ['0٬5', 'not-a-number'],
    ['١٬٥', 'not-a-number'],
    ['−١', 'negative'],
    ['NaN', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['+1', 'not-a-number'],
    ['1.', 'not-a-number'],
    ['9'.repeat(10_000), 'not-a-number'],
    ['-1', 'negative'],
    ['−1', 'negative'],
    ['0', 'zero'],
    ['0.000000000', 'zero'],
    ['0.0000000001', 'too-many-decimals'],
    ['18446744074', 'too-large'],
  ])('refuses %j because it is %s', (text, reason) => {
    expect(reasonOf(text, 9)).toBe(reason);
  });

  it('echoes at most 32 characters of what was typed', () => {
    try {
      parseUnits('x'.repeat(5_000), 9);
      expect.unreachable();
    } catch (error) {
      expect(hasCode(error, 'AMOUNT_INVALID') && error.details.given.length).toBe(32);
    }
  });

  it('parses what it prints, for every amount and precision', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: MAX_U64 }),
        fc.integer({ min: 0, max: 18 }),
        (units, decimals) => {
          expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units);
        },
      ),
    );
  });

  it('prints signed amounts without losing the sign of a fraction', () => {
    expect(formatUnits(-5n, 1)).toBe('-0.5');
    expect(formatUnits(0n, 9)).toBe('0');
  });
});
