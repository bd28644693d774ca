import { minBigint } from '@tradepost/solana';

/**
 * Fees of Meteora's programs that change with time and with volatility, in parts of a billion. Source of truth:
 * MeteoraAg/damm-v2 programs/cp-amm/src/{base_fee,math}, MeteoraAg/dynamic-bonding-curve the same.
 */
export type FeeSchedule = {
  readonly kind: 'linear' | 'exponential';
  readonly cliffNumerator: bigint;
  readonly periods: bigint;
  /** Slots or seconds per period; 0 = the fee never changes. */
  readonly periodLength: bigint;
  /** Linear: numerator taken off per period. Exponential: basis points of the fee taken off per period. */
  readonly reduction: bigint;
};

/** The base fee at `point` when it began to fall at `start`. */
export function scheduledFee(schedule: FeeSchedule, point: bigint, start: bigint): bigint {
  if (schedule.periodLength === 0n) return schedule.cliffNumerator;
  // Before the start, which only a privileged first swap sees, the program charges the last period's fee.
  const elapsed = point < start ? schedule.periods : (point - start) / schedule.periodLength;
  const period = minBigint(elapsed, schedule.periods);
  if (schedule.kind === 'linear') return schedule.cliffNumerator - period * schedule.reduction;
  if (period === 0n) return schedule.cliffNumerator;
  const kept = ONE - (schedule.reduction << 64n) / 10_000n;
  return (schedule.cliffNumerator * powQ64(kept, period)) / ONE;
}

const ONE = 1n << 64n;
const MAX_U128 = (1n << 128n) - 1n;
const MAX_EXPONENT = 0x80000n;

/** base^exponent in Q64.64, truncated after every step exactly as the program does. */
export function powQ64(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return ONE;
  const power = exponent < 0n ? -exponent : exponent;
  if (power >= MAX_EXPONENT) return 0n;
  // Above one the program raises the reciprocal, so that squares stay within 128 bits.
  const above = base >= ONE;
  let square = above ? MAX_U128 / base : base;
  let result = ONE;
  for (let bit = power; bit > 0n; bit >>= 1n) {
    if ((bit & 1n) === 1n) result = (result * square) >> 64n;
    square = (square * square) >> 64n;
  }
  if (result === 0n) return 0n;
  return above === exponent < 0n ? result : MAX_U128 / result;
}

/** ceil(control · (volatility · binStep)² / 10^11): the addition for recent price moves. */
export function volatilityFee(volatility: bigint, binStep: bigint, control: bigint): bigint {
  return (control * (volatility * binStep) ** 2n + 99_999_999_999n) / 100_000_000_000n;
}
