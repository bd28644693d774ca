import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../src/compose/texts/words.ts';
import { hasCode } from '../../../../src/core/errors/app-error.ts';
import {
  amountText,
  percentText,
  plainText,
  priceText,
  shortTokenText,
  solShort,
  solText,
  typableSol,
  typableText,
  usdNote,
  usdText,
} from '../../../../src/platform/telegram/ui/amounts.ts';
import { readAmount } from '../../../../src/platform/telegram/ui/read-amount.ts';
import { durationText, utcText } from '../../../../src/platform/telegram/ui/time.ts';

const EN = wordsOf('en');
const ES = wordsOf('es');

describe('amounts', () => {
  it('prints exactly what parseUnits reads back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 0, max: 12 }),
        (units, decimals) => {
          const read = readAmount(amountText(EN, units, decimals).replaceAll(',', ''), decimals);
          expect(read).toEqual({ kind: 'exact', units });
        },
      ),
    );
  });

  it('offers only what is read back as it is meant, in every language', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
          // Three digits behind the comma: what a thousand looks like.
          fc.bigInt({ min: 1n, max: 999_999n }).map((thousandths) => thousandths * 1_000n),
        ),
        fc.constantFrom(0, 3, 6, 9),
        (units, decimals) => {
          for (const words of [EN, ES])
            expect(readAmount(typableText(words, units, decimals), decimals)).toEqual({
              kind: 'exact',
              units,
            });
        },
      ),
    );
    expect([EN, ES].map((words) => typableSol(words, 1_234_000_000n))).toEqual(['1.234 SOL', '1,2340 SOL']);
    expect([EN, ES].map((words) => typableSol(words, 15_000_500_000_000n))).toEqual([
      '15000.5 SOL',
      '15000,5 SOL',
    ]);
  });

  it('prints Spanish with a comma before decimals and a narrow space between thousands', () => {
    expect(amountText(ES, 1_234_567_890_000n, 6)).toBe('1\u202f234\u202f567,89');
    expect(amountText(ES, 1_500n, 0)).toBe('1500');
    expect(plainText(ES, 15_000_125_000_000n, 9)).toBe('15000,125');
    expect([solText(ES, 1_204_399_999n, 4), solShort(ES, -500_000n)]).toEqual(['1,2043 SOL', '-0,0005 SOL']);
    expect(shortTokenText(ES, 175_371_123_456n, 6)).toBe('175\u202f371');
    expect(usdNote(ES, 1_204_300_000n, 150_000_000n)).toBe(' ($180,64)');
    expect([usdText(ES, 9_999n), usdText(ES, 1_234_567_890_000n)]).toEqual([
      '<$0,01',
      '$1\u202f234\u202f567,89',
    ]);
    expect([percentText(ES, 1), percentText(ES, 10_000)]).toEqual(['0,01\u202f%', '100\u202f%']);
    expect([0.00042, 1.5, 1_234_567, 0.5].map((price) => priceText(ES, price))).toEqual([
      '0,00042',
      '1,50',
      '1\u202f234\u202f567',
      '0,5',
    ]);
  });

  it('cuts and never rounds up', () => {
    expect(amountText(EN, 1_999_999n, 6, 2)).toBe('1.99');
    expect(solText(EN, 1_204_399_999n, 4)).toBe('1.2043 SOL');
  });

  it('prints an amount in full rather than as zero', () => {
    expect(solText(EN, 1n, 4)).toBe('0.000000001 SOL');
    expect(shortTokenText(EN, 175_371_123_456n, 6)).toBe('175,371');
  });

  it('says nothing about dollars it does not know', () => {
    expect(usdNote(EN, 1_000_000_000n, null)).toBe('');
    expect(usdNote(EN, 1_204_300_000n, 150_000_000n)).toBe(' ($180.64)');
    expect(usdText(EN, 9_999n)).toBe('<$0.01');
    expect(usdText(EN, 1_234_567_890_000n)).toBe('$1,234,567.89');
  });

  it('prints rates, prices, times', () => {
    expect(percentText(EN, 1)).toBe('0.01 %');
    expect(percentText(EN, 10_000)).toBe('100 %');
    expect(priceText(EN, 0.00042)).toBe('0.00042');
    expect(priceText(EN, Number.NaN)).toBe('n/a');
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
