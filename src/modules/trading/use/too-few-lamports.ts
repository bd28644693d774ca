import { maxBigint } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { NeededParts } from '../../../core/errors/details.ts';
import { neededLamports } from '../rules/needed-lamports.ts';

/** The refusal of a wallet that holds too little, with a sum that is enough at the highest fee. `least`: the chain named more. */
export function tooFewLamports(
  parts: NeededParts,
  available: bigint,
  least = 0n,
): AppError<'INSUFFICIENT_LAMPORTS'> {
  const needed = maxBigint(neededLamports(parts), least);
  const { amount } = parts;
  return new AppError('INSUFFICIENT_LAMPORTS', { needed, available, amount, fees: needed - amount, parts });
}

/** A simulation's error about too little SOL, as one sum that is enough; every other error as it is. */
export function retoldInFull(error: unknown, parts: NeededParts | undefined): unknown {
  if (parts === undefined || !hasCode(error, 'INSUFFICIENT_LAMPORTS')) return error;
  const { needed, available } = error.details;
  return tooFewLamports(parts, available, needed);
}
