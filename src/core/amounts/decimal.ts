import { AppError } from '../errors/app-error.ts';
import { MAX_U64 } from './lamports.ts';

/** At most this much of a refused text is echoed back. */
const ECHO_LENGTH = 32;

/**
 * Reads a plain positive decimal such as `0.5`, `0,5` or `12` into smallest units, exactly: no float is involved.
 * Refuses signs, exponents, grouping, other scripts' digits, more than `decimals` fraction digits, zero, and amounts
 * above 2^64 − 1, each with AMOUNT_INVALID and its reason. Nothing is ever rounded.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const given = text.trim().slice(0, ECHO_LENGTH);
  const refuse = (
    reason: 'not-a-number' | 'negative' | 'zero' | 'too-many-decimals' | 'too-large',
  ): never => {
    throw new AppError('AMOUNT_INVALID', { given, reason, decimals });
  };
  const trimmed = text.trim();
  if (/^[-−]\d/.test(trimmed)) refuse('negative');
  const match = /^(\d{1,40})(?:[.,](\d{1,40}))?$|^[.,](\d{1,40})$/.exec(trimmed);
  if (match === null) return refuse('not-a-number');
  const whole = match[1] ?? '0';
  const fraction = (match[2] ?? match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) refuse('too-many-decimals');
  const units = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
  if (units === 0n) refuse('zero');
  if (units > MAX_U64) refuse('too-large');
  return units;
}

/** Prints smallest units as an exact decimal without trailing zeros: `formatUnits(1500n, 3)` is `1.5`. */
export function formatUnits(units: bigint, decimals: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
