import { mulDivFloor } from '@tradepost/solana';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import type { UiScale } from '../../../core/errors/details.ts';

export type { UiScale } from '../../../core/errors/details.ts';

/** A mint says any number; beyond these a screen would only hold digits. Such a mint is shown in its units. */
const LEAST = 1e-9;
const MOST = 1e9;
/** A float of the range above is a whole number of these. */
const PRECISION = 2n ** 84n;
const SECONDS_PER_YEAR = 31_556_736;

/** The amount shown for `units`, rounded towards zero: never more than there is. `scale` null or absent: the units themselves. */
export function shownUnits(units: bigint, scale: UiScale | null | undefined): bigint {
  if (scale == null) return units;
  const size = mulDivFloor(units < 0n ? -units : units, scale.numerator, scale.denominator);
  return units < 0n ? -size : size;
}

/** The factor of units where they are shown: at most nine digits behind the point, cut; `1` without a scale. */
export function scaleFactor(scale: UiScale | null | undefined): string {
  return scale == null ? '1' : formatUnits((scale.numerator * 10n ** 9n) / scale.denominator, 9);
}

/** The units that a shown amount means, rounded down: never more than was typed. 0 where it is less than one unit. */
export function unitsOfShown(shown: bigint, scale: UiScale | null | undefined): bigint {
  return scale == null ? shown : mulDivFloor(shown, scale.denominator, scale.numerator);
}

/** A multiplier as an exact fraction; null for 1, and for one that no screen could show. */
export function scaleOf(multiplier: number): UiScale | null {
  if (!(multiplier >= LEAST && multiplier <= MOST) || multiplier === 1) return null;
  // A power of two times a float is exact while it does not overflow.
  return { numerator: BigInt(Math.floor(multiplier * Number(PRECISION))), denominator: PRECISION };
}

/** Of `ScaledUiAmountConfig`: the newer multiplier from its moment on. Seconds of Unix time. */
export function scaledMultiplier(
  config: { readonly multiplier: number; readonly newer: number; readonly newerAt: bigint },
  now: number,
): number {
  return BigInt(Math.floor(now)) >= config.newerAt ? config.newer : config.multiplier;
}

/**
 * Of `InterestBearingConfig`: continuous interest at the average rate until the last change, and at the rate of now since. Rates in
 * hundredths of a percent a year, seconds of Unix time. Source of truth: spl-token-2022 `InterestBearingConfig::total_scale`.
 */
export function interestMultiplier(
  config: {
    readonly startedAt: bigint;
    readonly averageBps: number;
    readonly changedAt: bigint;
    readonly bps: number;
  },
  now: number,
): number {
  const years = (from: bigint, to: number): number => (to - Number(from)) / SECONDS_PER_YEAR;
  const before = (config.averageBps / 10_000) * years(config.startedAt, Number(config.changedAt));
  const since = (config.bps / 10_000) * years(config.changedAt, now);
  return Math.exp(before) * Math.exp(since);
}
