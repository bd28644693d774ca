import { minBigint, mulDivCeil } from './rounding.ts';
import type { TransferFee } from './token-extensions.ts';

/**
 * The fee that a Token-2022 mint withholds from a transfer of `amount` in `epoch`: ceil(amount · bps / 10,000), at most the schedule's
 * maximum. Zero without a schedule. Source of truth: spl-token-2022 `TransferFee::calculate_fee`.
 */
export function transferFee(schedule: TransferFee | null, amount: bigint, epoch: bigint): bigint {
  if (schedule === null) return 0n;
  const rate = epoch >= schedule.newerEpoch ? schedule.newer : schedule.older;
  return minBigint(mulDivCeil(amount, BigInt(rate.bps), 10_000n), rate.maximum);
}
