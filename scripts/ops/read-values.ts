import { type Address, isAddress, SOL_DECIMALS } from '@tradepost/solana';
import { address } from '../../src/core/address/address.ts';
import { parseUnits } from '../../src/core/amounts/decimal.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { UsageError } from './ops-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Each throws a UsageError that names the expected and the given value. `what` names the option or the word. */
const expected = (what: string, wanted: string, given: string): UsageError =>
  new UsageError(`${what}: expected ${wanted}, not "${given}".`);

/** `fallback` where nothing was given. */
export function wholeNumber(
  what: string,
  text: string | undefined,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback?: number },
): number {
  if (text === undefined && fallback !== undefined) return fallback;
  const value = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw expected(what, `a whole number from ${min} to ${max}`, text ?? '');
  return value;
}

/** Lamports of an amount of SOL; above zero. */
export function solAmount(what: string, text: string): bigint {
  try {
    return parseUnits(text, SOL_DECIMALS);
  } catch (error) {
    if (!hasCode(error, 'AMOUNT_INVALID')) throw error;
    throw expected(what, 'an amount of SOL like 0.5', text);
  }
}

export function addressWord(what: string, text: string): Address {
  if (!isAddress(text)) throw expected(what, 'a base58 address', text);
  return address(text);
}

/** Milliseconds of `45s`, `30m`, `2h` or `7d`; at most a year. */
export function duration(what: string, text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,7})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms === 0 || ms > 366 * 86_400_000)
    throw expected(what, 'a time like 30m, 2h or 7d, at most 366d', text);
  return ms;
}

/** Epoch milliseconds of a day, at its first moment, or of a moment; UTC. */
export function moment(what: string, text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw expected(what, '2027-01-31 or 2027-01-31T12:00Z', text);
  return time;
}

/** A Telegram id, as digits. */
export function telegramId(what: string, text: string): bigint {
  if (!/^[0-9]{1,19}$/.test(text)) throw expected(what, 'a Telegram id in digits', text);
  return BigInt(text);
}

export function oneOf<T extends string>(what: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw expected(what, `one of ${choices.join(', ')}`, text);
  return found;
}
