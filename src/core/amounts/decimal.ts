import { MAX_U64, MOST_LAMPORTS, SOL_DECIMALS } from '@tradepost/solana';
import { AppError } from '../errors/app-error.ts';
import { withPlainDigits } from '../text/digits.ts';

/** At most this much of a refused text is echoed back. */
const ECHO_LENGTH = 32;

/**
 * A typed number without the commas between its thousands; null where the comma could be the decimal point as well. `1,500` means 1500 on
 * our own screens and 1.5 in half of the world: a guess would send a thousandth, or a thousandfold.
 */
export function ungroup(text: string): string | null {
  if (/^[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  const isGrouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  return isGrouped ? text.replaceAll(',', '') : text;
}

/**
 * Reads a positive decimal such as `0.5`, `0,5`, `12` or `1,234,567.8` into smallest units, exactly: no float is involved. Refuses signs,
 * exponents, a comma that can be read in two ways and digits of mixed scripts. Refuses more than `decimals` fraction digits, zero, and
 * amounts above `most` (2^64 − 1). Each refusal is AMOUNT_INVALID with its reason. Nothing is ever rounded.
 */
export function parseUnits(text: string, decimals: number, most: bigint = MAX_U64): bigint {
  const given = text.trim().slice(0, ECHO_LENGTH);
  const refuse = (
    reason: 'not-a-number' | 'ambiguous' | 'negative' | 'zero' | 'too-many-decimals' | 'too-large',
  ): never => {
    throw new AppError('AMOUNT_INVALID', { given, reason, decimals });
  };
  const trimmed = withPlainDigits(text);
  if (/^[-−]\d/.test(trimmed)) refuse('negative');
  const plain = ungroup(trimmed) ?? refuse('ambiguous');
  const match = /^(\d{1,40})(?:[.,](\d{1,40}))?$|^[.,](\d{1,40})$/.exec(plain);
  if (match === null) return refuse('not-a-number');
  const whole = match[1] ?? '0';
  const fraction = (match[2] ?? match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) refuse('too-many-decimals');
  const units = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
  if (units === 0n) refuse('zero');
  if (units > most) refuse('too-large');
  return units;
}

/** As `parseUnits`, of SOL: more than a billion of them is refused as `too-large`. */
export const parseSol = (text: string): bigint => parseUnits(text, SOL_DECIMALS, MOST_LAMPORTS);

/** Prints smallest units as an exact decimal without trailing zeros: `formatUnits(1500n, 3)` is `1.5`. */
export function formatUnits(units: bigint, decimals: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
