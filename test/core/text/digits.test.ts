import { describe, expect, it } from 'vitest';
import { parseUnits } from '../../../src/core/amounts/decimal.ts';
import { plainDigits } from '../../../src/core/text/digits.ts';
import { wholeNumber } from '../../../src/modules/keys/rules/parse-key-request.ts';
import { readPrice } from '../../../src/modules/orders/rules/placement.ts';
import { readRhythm } from '../../../src/modules/orders/rules/schedule.ts';
import { isPinShaped } from '../../../src/platform/telegram/secret/secret-shapes.ts';
import { readAmount } from '../../../src/platform/telegram/ui/read-amount.ts';

/** Zeros of scripts, as Unicode's chart has them. */
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0,
  0xf20, 0x1040, 0x17e0, 0x1810, 0xff10, 0x104a0, 0x116d0, 0x116da, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec,
  0x1d7f6, 0x1fbf0,
];

const inScript = (zero: number, digits: string): string =>
  digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

describe('digits of any script', () => {
  it.each(ZEROS)('from %i on are digits to every reader of typed numbers', (zero) => {
    expect(plainDigits(inScript(zero, '0123456789'))).toBe('0123456789');
    expect(parseUnits(inScript(zero, '0.5'), 9)).toBe(500_000_000n);
    expect(readAmount(inScript(zero, '25%'), 9)).toEqual({ kind: 'share', bps: 2_500 });
    expect(readPrice(inScript(zero, '-20%'))).toEqual({ kind: 'percent', digits: -20n, scale: 0 });
    expect(readRhythm(inScript(zero, '12 x 6h'))).toEqual({ rounds: 12, intervalMs: 21_600_000 });
    expect(wholeNumber(inScript(zero, '42'), 100)).toBe(42);
    expect(isPinShaped(inScript(zero, '739154'))).toBe(true);
  });

  it('come with the signs of their scripts', () => {
    expect(plainDigits('١٢٫٥')).toBe('12.5');
    expect(plainDigits('۱۲٪')).toBe('12%');
    expect(plainDigits('１２．５％')).toBe('12.5%');
    expect(plainDigits('\u200F١٢\u200F')).toBe('12');
    // The Arabic sign between thousands is never a decimal sign, so it is no guess.
    expect(plainDigits('١٬٥٠٠')).toBe('1500');
    expect(plainDigits('١٬٢٣٤٬٥٦٧٫٨')).toBe('1234567.8');
  });

  it('are refused where a number could be read in two ways', () => {
    // A full-width comma is as ambiguous as ours.
    expect(plainDigits('１，５００')).toBe('1,500');
    expect(() => parseUnits('１，５００', 9)).toThrow();
    expect(parseUnits('０，５', 9)).toBe(500_000_000n);
    for (const text of ['١٬٥', '٠٬٥٠٠', '١٬٥٠٠٬', '١٬٢٣٤,٥', '١،٥', '1。5'])
      expect(() => parseUnits(text, 9), text).toThrow();
  });

  it('of two scripts in one number are refused', () => {
    for (const text of ['1٢', '١۲', '１2', `${inScript(0x1d7ce, '1')}${inScript(0x1d7d8, '2')}`]) {
      expect(plainDigits(text), text).toBeNull();
      expect(() => parseUnits(text, 9), text).toThrow();
    }
    expect(isPinShaped('73915٤')).toBe(false);
  });

  it('are not what only looks like digits', () => {
    for (const text of ['²', '①', '½', 'Ⅳ', 'O', 'l', '一', '٠\u200F٥', '〇'])
      expect(() => parseUnits(text, 9), text).toThrow();
  });
});
