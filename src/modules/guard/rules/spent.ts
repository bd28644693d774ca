import type { Reading } from '../../../core/time/due.ts';
import { capNow } from './cap.ts';
import type { Guard, GuardRules } from './guard.ts';
import { hasRipePin } from './unlock.ts';

/**
 * A person's spending, in lamports, network fees included. Within 24 hours: `s` without a PIN, `k` in all, `d` of it for doubted tokens,
 * `floor` beside them as fees of sales at the lowest priority. `sinceRight`: without a PIN since the PIN was last right, or set.
 */
export type SpentSums = {
  readonly s: bigint;
  readonly k: bigint;
  readonly d: bigint;
  readonly floor: bigint;
  readonly sinceRight: bigint;
};

/**
 * The amount that may still be spent without a PIN: the rest of the day's cap, and where there is a ripe PIN the rest of the allowance
 * since it was last right. A person without one could not make room by typing it, so the day's cap alone holds.
 */
export function leftWithoutPin(
  guard: Guard,
  spent: Pick<SpentSums, 's' | 'sinceRight'>,
  at: Reading,
  rules: GuardRules,
): bigint {
  const today = rest(capNow(guard, at, rules, 'spending'), spent.s);
  if (!hasRipePin(guard, at)) return today;
  const since = rest(rules.sinceRightPinLamports, spent.sinceRight);
  return since < today ? since : today;
}

/** The rest of a limit; never below 0. */
export function rest(limit: bigint, used: bigint): bigint {
  return limit > used ? limit - used : 0n;
}
