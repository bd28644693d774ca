import { SOL_DECIMALS } from '@tradepost/solana';
import { parseUnits } from '../../../core/amounts/decimal.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { Side } from './describe.ts';

/** Smallest units of the amount in a link; null for anything but a number above zero that has no more digits than the token. */
export function amountOf(
  side: Side,
  query: Readonly<Record<string, unknown>>,
  decimals: number,
): bigint | null {
  const text = side === 'buy' ? (query['sol'] ?? '0.1') : query['tokens'];
  if (typeof text !== 'string' || !/^\d{1,12}(\.\d{1,18})?$/.test(text)) return null;
  try {
    const units = parseUnits(text, side === 'buy' ? SOL_DECIMALS : decimals);
    return units > 0n ? units : null;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
