import { SOL_DECIMALS } from '@tradepost/solana';
import { marksOf } from '../../../core/text/figures.ts';
import { amountText, type Reader } from './amounts.ts';

/**
 * `+0.8412 SOL`, `−0.0214 SOL`; nothing is `0 SOL`. A gain is never shown larger and a loss never smaller than it is. An amount below the
 * shown digits is printed to the lamport, so that neither looks like nothing.
 */
export function signedSol(reader: Reader, lamports: bigint, digits = 4): string {
  const size = sizeOf(lamports);
  const shown = 10n ** BigInt(SOL_DECIMALS - digits);
  const text =
    size < shown
      ? amountText(reader, size, SOL_DECIMALS)
      : amountText(reader, lamports < 0n ? upTo(size, shown) : size, SOL_DECIMALS, digits);
  return `${sign(lamports)}${text} SOL`;
}

/**
 * `+31.2 %`, `−4.3 %`: a part of a whole, to a tenth, rounded as `signedSol`; `−<0.1 %` for less. `n/a` where the whole is nothing.
 */
export function signedPercent(reader: Reader, part: bigint, whole: bigint): string {
  const { point, spacedPercent } = marksOf(reader.language);
  if (whole <= 0n) return 'n/a';
  if (part !== 0n && sizeOf(part) * 1_000n < whole) return `${sign(part)}<0${point}1${spacedPercent}`;
  return `${sign(part)}${amountText(reader, sizeOf(tenthsOf(part, whole)), 1)}${spacedPercent}`;
}

/** Tenths of a percent of a whole above zero, signed: a gain cut, a loss rounded up. */
export function tenthsOf(part: bigint, whole: bigint): bigint {
  const size = sizeOf(part) * 1_000n;
  return part < 0n ? -(upTo(size, whole) / whole) : size / whole;
}

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);
const upTo = (value: bigint, step: bigint): bigint => ((value + step - 1n) / step) * step;
const sign = (value: bigint): string => (value > 0n ? '+' : value < 0n ? '−' : '');
