import { SOL_DECIMALS } from '../../core/amounts/lamports.ts';
import { amountText } from './amounts.ts';

/** `+0.8412 SOL`, `−0.0214 SOL`; nothing is `0 SOL`. Cut towards zero, so a gain is never told larger than it is. */
export function signedSol(lamports: bigint): string {
  const size = lamports < 0n ? -lamports : lamports;
  return `${sign(lamports)}${amountText(size, SOL_DECIMALS, 4)} SOL`;
}

/** `+31.2 %`, `−4.3 %`: a part of a whole, to a tenth. `n/a` where the whole is nothing. */
export function signedPercent(part: bigint, whole: bigint): string {
  if (whole <= 0n) return 'n/a';
  const tenths = (part * 1_000n) / whole;
  const size = tenths < 0n ? -tenths : tenths;
  return `${sign(tenths)}${amountText(size, 1)} %`;
}

const sign = (value: bigint): string => (value > 0n ? '+' : value < 0n ? '−' : '');
