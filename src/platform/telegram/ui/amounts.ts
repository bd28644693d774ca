import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { formatUnits, ungroup } from '../../../core/amounts/decimal.ts';
import { grouped, marksOf } from '../../../core/text/figures.ts';
import { microUsd } from '../../../modules/trading/rules/price.ts';

/** The reader of a number: each function here prints in the marks of their language, `1,234.5` in English and `1234,5` in Spanish. */
export type Reader = Pick<Words, 'language'>;

/**
 * Prints smallest units for reading: thousands grouped, cut (never rounded up) to `maxFraction` digits. An amount too
 * small for that many digits is printed in full rather than as zero.
 */
export function amountText(
  { language }: Reader,
  units: bigint,
  decimals: number,
  maxFraction: number = decimals,
): string {
  const marks = marksOf(language);
  const exact = formatUnits(units, decimals);
  const negative = exact.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? exact.slice(1) : exact).split('.');
  const cut = fraction.slice(0, maxFraction).replace(/0+$/, '');
  const shown = whole === '0' && cut === '' ? fraction : cut;
  return `${negative ? '-' : ''}${grouped(marks, whole)}${shown === '' ? '' : `${marks.point}${shown}`}`;
}

/** Exact and without marks between thousands: for a button that has room for a number alone. */
export function plainText({ language }: Reader, units: bigint, decimals: number): string {
  return formatUnits(units, decimals).replace('.', marksOf(language).point);
}

/**
 * For amounts that may be typed back as they are read: exact, and without marks between thousands, since `1,500` typed could be 1.5 as
 * well. Spanish prints a fourth digit for the same reason: `1,2340` is read as it is meant, `1,234` is refused.
 */
export function typableText(reader: Reader, units: bigint, decimals: number): string {
  const text = plainText(reader, units, decimals);
  return ungroup(text) === null ? `${text}0` : text;
}

/** `1500.25 SOL`: as `typableText`. */
export function typableSol(reader: Reader, lamports: bigint): string {
  return `${typableText(reader, lamports, SOL_DECIMALS)} SOL`;
}

/** `1.2043 SOL`: exact to the lamport unless `maxFraction` says how much to show. */
export function solText(reader: Reader, lamports: bigint, maxFraction: number = SOL_DECIMALS): string {
  return `${amountText(reader, lamports, SOL_DECIMALS, maxFraction)} SOL`;
}

/** For reading: four digits behind the point, six below one SOL. Cut, so never more than there is; a receipt is exact instead. */
export function solShort(reader: Reader, lamports: bigint): string {
  const size = lamports < 0n ? -lamports : lamports;
  return solText(reader, lamports, size >= 1_000n * LAMPORTS_PER_SOL ? 2 : size >= LAMPORTS_PER_SOL ? 4 : 6);
}

/** For balances and estimates: fewer digits the larger the number, so that a row stays readable. */
export function shortTokenText(reader: Reader, units: bigint, decimals: number): string {
  const whole = units / 10n ** BigInt(decimals);
  return amountText(reader, units, decimals, whole >= 1_000n ? 0 : whole >= 1n ? 4 : 9);
}

/** `$180.65` of millionths of a dollar, cut to cents; `<$0.01` for less. */
export function usdText({ language }: Reader, microUsd: bigint): string {
  const marks = marksOf(language);
  const amount = microUsd < 0n ? -microUsd : microUsd;
  if (amount > 0n && amount < 10_000n) return `<$0${marks.point}01`;
  const cents = (amount / 10_000n).toString().padStart(3, '0');
  return `${microUsd < 0n ? '-' : ''}$${grouped(marks, cents.slice(0, -2))}${marks.point}${cents.slice(-2)}`;
}

/** ` ($180.65)`, or nothing when the price is not known: unknown is never printed as zero. */
export function usdNote(reader: Reader, lamports: bigint, microUsdPerSol: bigint | null): string {
  if (microUsdPerSol === null) return '';
  const value = microUsd(lamports, microUsdPerSol);
  // One lamport is less than a millionth of a dollar, and not nothing.
  return ` (${usdText(reader, value === 0n && lamports > 0n ? 1n : value)})`;
}

/** A small price with enough digits to compare: `$0.000420`. */
export function priceText({ language }: Reader, value: number): string {
  const marks = marksOf(language);
  if (!Number.isFinite(value) || value < 0) return 'n/a';
  if (value === 0) return '0';
  if (value >= 1_000) return grouped(marks, value.toFixed(0));
  if (value >= 1) return value.toFixed(2).replace('.', marks.point);
  const digits = Math.min(18, Math.max(3, 3 - Math.floor(Math.log10(value)) - 1));
  return value
    .toFixed(digits)
    .replace(/\.?0+$/, '')
    .replace('.', marks.point);
}

/** `5 %`, `0.25 %`: hundredths of a percent, exactly. */
export function percentText(reader: Reader, bps: number): string {
  return `${plainText(reader, BigInt(Math.trunc(bps)), 2)}${marksOf(reader.language).spacedPercent}`;
}
