import type { DecimalText, TapeTrade } from './trade.ts';

/** Significant digits of a stored price. */
const DIGITS = 18;
/** Fraction digits of a price as the API has always printed it. */
const FRACTION_DIGITS = 10;

type Decimals = { readonly baseDecimals: number; readonly quoteDecimals: number };

/** Quote per base in whole tokens, from units alone: 18 significant digits, the rest cut off. `base` is at least 1. */
export function exactPrice(
  { base, quote }: Pick<TapeTrade, 'base' | 'quote'>,
  { baseDecimals, quoteDecimals }: Decimals,
): DecimalText {
  const numerator = quote * 10n ** BigInt(baseDecimals);
  const denominator = base * 10n ** BigInt(quoteDecimals);
  if (numerator === 0n) return '0';
  // The estimate may be off by one digit; the division shows it and the next scale corrects it.
  const magnitude = numerator.toString().length - denominator.toString().length;
  for (let scale = DIGITS - magnitude - 1; ; scale += 1) {
    const scaled = scaledQuotient(numerator, denominator, scale);
    if (scaled.toString().length >= DIGITS) return decimalOf(scaled, scale);
  }
}

function scaledQuotient(numerator: bigint, denominator: bigint, scale: number): bigint {
  return scale >= 0
    ? (numerator * 10n ** BigInt(scale)) / denominator
    : numerator / (denominator * 10n ** BigInt(-scale));
}

/** `digits · 10^−scale` as a plain decimal. */
function decimalOf(digits: bigint, scale: number): DecimalText {
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString();
  const text = digits.toString().padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -scale) : `${text.slice(0, -scale)}.${fraction}`;
}

/** Exactly ten fraction digits, the rest cut off: `0.0000001200`. */
export function tenDigits(price: DecimalText): string {
  const [whole = '0', fraction = ''] = price.split('.');
  return `${whole}.${fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0')}`;
}

/** Below 0 when the first is the smaller. */
export function comparePrices(one: DecimalText, other: DecimalText): number {
  const [a = '', x = ''] = one.split('.');
  const [b = '', y = ''] = other.split('.');
  if (a.length !== b.length) return a.length - b.length;
  if (a !== b) return a < b ? -1 : 1;
  if (x === y) return 0;
  // No trailing zeros: a longer fraction with the same beginning is the larger.
  return x < y ? -1 : 1;
}

/** `(price − before) / before` in percent, rounded to two digits; null when there is nothing to compare with. */
export function changePercent(price: DecimalText, before: DecimalText | null): number | null {
  if (before === null || Number(before) === 0) return null;
  return Math.round((Number(price) / Number(before) - 1) * 10_000) / 100;
}

/** `a − b`, with a sign, exactly. */
export function subtractDecimals(a: DecimalText, b: DecimalText): string {
  const scale = Math.max(fractionLength(a), fractionLength(b));
  const difference = digitsAt(a, scale) - digitsAt(b, scale);
  const text = decimalOf(difference < 0n ? -difference : difference, scale);
  return difference < 0n ? `-${text}` : text;
}

function fractionLength(text: DecimalText): number {
  return text.split('.')[1]?.length ?? 0;
}

function digitsAt(text: DecimalText, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}
