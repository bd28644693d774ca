import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../../src/core/errors/app-error.ts';
import {
  amountText,
  percentText,
  priceText,
  shortTokenText,
  solText,
  usdNote,
  usdText,
} from '../../../../src/platform/telegram/ui/amounts.ts';
import { readAmount } from '../../../../src/platform/telegram/ui/read-amount.ts';
import { durationText, utcText } from '../../../../src/platform/telegram/ui/time.ts';

describe('amounts', () => {
  it('prints exactly what parseUnits reads back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 0, max: 12 }),
        (units, decimals) => {
          const read = readAmount(amountText(units, decimals).replaceAll(',', ''), decimals);
          expect(read).toEqual({ kind: 'exact', units });
        },
      ),
    );
  });

  it('cuts and never rounds up', () => {
    expect(amountText(1_999_999n, 6, 2)).toBe('1.99');
    expect(solText(1_204_399_999n, 4)).toBe('1.2043 SOL');
  });

  it('prints an amount in full rather than as zero', () => {
    expect(solText(1n, 4)).toBe('0.000000001 SOL');
    expect(shortTokenText(175_371_123_456n, 6)).toBe('175,371');
  });

  it('says nothing about dollars it does not know', () => {
    expect(usdNote(1_000_000_000n, null)).toBe('');
    expect(usdNote(1_204_300_000n, 150_000_000n)).toBe(' ($180.64)');
    expect(usdText(9_999n)).toBe('<$0.01');
    expect(usdText(1_234_567_890_000n)).toBe('$1,234,567.89');
  });

  it('prints rates, prices, times', () => {
    expect(percentText(1)).toBe('0.01 %');
    expect(percentText(10_000)).toBe('100 %');
    expect(priceText(0.00042)).toBe('0.00042');
    expect(priceText(Number.NaN)).toBe('n/a');
    expect(utcText(Date.UTC(2026, 10, 21, 14, 2, 11))).toBe('2026-11-21 14:02:11 UTC');
    expect(durationText(2_140, 'en')).toBe('2.1 s');
    expect(durationText(2_140, 'es')).toBe('2,1 s');
    expect(durationText(65_000, 'en')).toBe('1 min 5 s');
  });
});

describe('a typed amount', () => {
  it.each([
    ['max', { kind: 'max' }],
    [' ALL ', { kind: 'max' }],
    ['100%', { kind: 'max' }],
    ['50%', { kind: 'share', bps: 5_000 }],
    ['12,5 %', { kind: 'share', bps: 1_250 }],
    ['0,5', { kind: 'exact', units: 500_000_000n }],
  ] as const)('reads %j', (text, expected) => {
    expect(readAmount(text, 9)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    'abc',
    '-1',
    '−1',
    '1e9',
    '0x10',
    '1.2.3',
    '0',
    '0%',
    '101%',
    '1 000',
    '1٣',
    '１1',
    '①',
    'NaN',
    'Infinity',
    '1'.repeat(80),
    '0.0000000001',
    '%',
    '\u202E1',
  ])('refuses %j with AMOUNT_INVALID', (text) => {
    try {
      readAmount(text, 9);
      expect.unreachable();
    } catch (error) {
      expect(hasCode(error, 'AMOUNT_INVALID')).toBe(true);
    }
  });
});
