import { MOST_LAMPORTS, SOL_DECIMALS } from '@tradepost/solana';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { parseUnits } from '../../../core/amounts/decimal.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';

/** An amount as people write it. */
export type TypedAmount =
  | { readonly kind: 'exact'; readonly units: bigint }
  | { readonly kind: 'max' }
  | { readonly kind: 'share'; readonly bps: Bps };

const MAX_WORDS = new Set(['max', 'all', 'everything', 'máximo', 'maximo', 'todo']);

/** As `readAmount`, of SOL: more than there is of it is refused. */
export const readSol = (text: string): TypedAmount => readAmount(text, SOL_DECIMALS, MOST_LAMPORTS);

/** Lamports of the least sum that counts, as typed in SOL; `0` is every sum. Throws AMOUNT_INVALID for all else that is no sum. */
export function readLeastSol(text: string): bigint {
  if (/^0+(?:[.,]0+)?$/.test(withPlainDigits(text))) return 0n;
  const read = readSol(text);
  if (read.kind === 'exact') return read.units;
  throw new AppError('AMOUNT_INVALID', { given: text.slice(0, 32), reason: 'not-a-number', decimals: 9 });
}

/**
 * Reads `0.5`, `0,5`, `max` or `50%`. A share is above 0 and at most 100 %, with at most two decimals; 100 % is max.
 * Throws AMOUNT_INVALID with its reason for everything else; nothing is rounded.
 */
export function readAmount(text: string, decimals: number, most?: bigint): TypedAmount {
  const trimmed = withPlainDigits(text);
  if (MAX_WORDS.has(trimmed.toLowerCase())) return { kind: 'max' };
  if (!trimmed.endsWith('%')) return { kind: 'exact', units: parseUnits(trimmed, decimals, most) };
  const hundredths = parseUnits(trimmed.slice(0, -1), 2);
  if (hundredths > 10_000n) {
    throw new AppError('AMOUNT_INVALID', { given: trimmed.slice(0, 32), reason: 'too-large', decimals: 2 });
  }
  return hundredths === 10_000n ? { kind: 'max' } : { kind: 'share', bps: bps(Number(hundredths)) };
}
