import { formatUnits } from '../../../core/amounts/decimal.ts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import { microUsd } from '../../../modules/trading/rules/price.ts';

/**
 * Prints smallest units for reading: thousands grouped, cut (never rounded up) to `maxFraction` digits. An amount too
 * small for that many digits is printed in full rather than as zero.
 */
export function amountText(units: bigint, decimals: number, maxFraction: number = decimals): string {
  const exact = formatUnits(units, decimals);
  const negative = exact.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? exact.slice(1) : exact).split('.');
  const cut = fraction.slice(0, maxFraction).replace(/0+$/, '');
  const shown = whole === '0' && cut === '' ? fraction : cut;
  return `${negative ? '-' : ''}${grouped(whole)}${shown === '' ? '' : `.${shown}`}`;
}

/**
 * For amounts that may be typed back as they are read: exact, and without commas between thousands, since `1,500` typed could be 1.5 as
 * well.
 */
export function typableText(units: bigint, decimals: number): string {
  return formatUnits(units, decimals);
}

/** `1500.25 SOL`: as `typableText`. */
export function typableSol(lamports: bigint): string {
  return `${typableText(lamports, SOL_DECIMALS)} SOL`;
}

/** `1.2043 SOL`: exact to the lamport unless `maxFraction` says how much to show. */
export function solText(lamports: bigint, maxFraction: number = SOL_DECIMALS): string {
  return `${amountText(lamports, SOL_DECIMALS, maxFraction)} SOL`;
}

/** For reading: four digits behind the point, six below one SOL. Cut, so never more than there is; a receipt is exact instead. */
export function solShort(lamports: bigint): string {
  const size = lamports < 0n ? -lamports : lamports;
  return solText(lamports, size >= 1_000n * LAMPORTS_PER_SOL ? 2 : size >= LAMPORTS_PER_SOL ? 4 : 6);
}

/** For balances and estimates: fewer digits the larger the number, so that a row stays readable. */
export function shortTokenText(units: bigint, decimals: number): string {
  const whole = units / 10n ** BigInt(decimals);
  return amountText(units, decimals, whole >= 1_000n ? 0 : whole >= 1n ? 4 : 9);
}

/** `$180.65` of millionths of a dollar, cut to cents; `<$0.01` for less. */
export function usdText(microUsd: bigint): string {
  const amount = microUsd < 0n ? -microUsd : microUsd;
  if (amount > 0n && amount < 10_000n) return '<$0.01';
  const cents = (amount / 10_000n).toString().padStart(3, '0');
  return `${microUsd < 0n ? '-' : ''}$${grouped(cents.slice(0, -2))}.${cents.slice(-2)}`;
}

/** ` ($180.65)`, or nothing when the price is not known: unknown is never printed as zero. */
export function usdNote(lamports: bigint, microUsdPerSol: bigint | null): string {
  if (microUsdPerSol === null) return '';
  const value = microUsd(lamports, microUsdPerSol);
  // One lamport is less than a millionth of a dollar, and not nothing.
  return ` (${usdText(value === 0n && lamports > 0n ? 1n : value)})`;
}

/** A small price with enough digits to compare: `$0.000420`. */
export function priceText(value: number): string {
  if (!Number.isFinite(value) || value < 0) return 'n/a';
  if (value === 0) return '0';
  if (value >= 1_000) return grouped(value.toFixed(0));
  if (value >= 1) return value.toFixed(2);
  const digits = Math.min(18, Math.max(3, 3 - Math.floor(Math.log10(value)) - 1));
  return value.toFixed(digits).replace(/0+$/, '').replace(/\.$/, '');
}

/** `5 %`, `0.25 %`: hundredths of a percent, exactly. */
export function percentText(bps: number): string {
  return `${formatUnits(BigInt(Math.trunc(bps)), 2)} %`;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
