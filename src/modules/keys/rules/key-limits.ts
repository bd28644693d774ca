/** The volume that a person expects to request. */
export type StatedVolume = { readonly perDay: number; readonly peakPerSecond: number };

export type KeyLimits = {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Requests per day (UTC); null = no such limit. */
  readonly dayQuota: number | null;
};

const DAY_SECONDS = 86_400;
/** A day's requests come in some hours of it, not evenly. */
const CROWDED = 3;

/** The limits that follow a stated volume, at most `maxRate` requests per second. Above that an operator grants by hand. */
export function limitsOf({ perDay, peakPerSecond }: StatedVolume, maxRate: number): KeyLimits {
  const wanted = Math.ceil(Math.max(peakPerSecond, (CROWDED * perDay) / DAY_SECONDS));
  return { ...limitsAt(Math.min(Math.max(wanted, 1), maxRate)), dayQuota: quotaOf(perDay) };
}

/** 1.5 times the stated volume, so that a good day is no refusal. */
export function quotaOf(perDay: number): number {
  return Math.ceil(1.5 * perDay);
}

export function limitsAt(ratePerSecond: number): Pick<KeyLimits, 'ratePerSecond' | 'burst'> {
  return { ratePerSecond, burst: 2 * ratePerSecond };
}
