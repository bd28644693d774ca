import { AppError } from '../../../core/errors/app-error.ts';
import { type BookedAddress, usableAt } from './address-book.ts';
import { type CapUse, capNow, UNPRICED_PER_DAY } from './cap.ts';
import { assertNotFrozen } from './freeze.ts';
import type { Guard, GuardRules } from './guard.ts';
import { ripensAt } from './ripe.ts';
import { secondFactor } from './second-factor.ts';

export type WithdrawalCase = {
  readonly guard: Guard;
  readonly entry: BookedAddress;
  /** Its worth in lamports; null when it is not known. */
  readonly value: bigint | null;
  /** The use that counts already in the 24 hours before this one is due, and after. */
  readonly used: CapUse;
  readonly now: number;
  readonly rules: GuardRules;
};

/** When a withdrawal to this address is due: now, or when the address is old enough. */
export function dueAt(input: Pick<WithdrawalCase, 'guard' | 'entry' | 'now' | 'rules'>): number {
  return Math.max(input.now, usableAt(input.entry, input.guard, input.rules));
}

/**
 * Whether a withdrawal may be written down, after its PIN was right. Returns the moment before which nothing may be built,
 * null = at once. Throws PIN_REQUIRED, ACCOUNT_FROZEN, DAILY_CAP, UNPRICED_TOKEN, DAILY_COUNT.
 */
export function judgeWithdrawal(input: WithdrawalCase): { readonly notBefore: number | null } {
  const { guard, value, used, now, rules } = input;
  if (guard.pinHash === null) throw new AppError('PIN_REQUIRED', {});
  assertNotFrozen(guard, now);
  if (value === null) {
    // Its worth may be anything. The proof that was right before this one held the second factor's code, where there is one.
    if (secondFactor(guard, now) === null) throw new AppError('UNPRICED_TOKEN', {});
    if (used.unpriced >= UNPRICED_PER_DAY) throw new AppError('DAILY_COUNT', { max: UNPRICED_PER_DAY });
  } else {
    // The cap as it is now, also for one that waits: a raise that waits must not be spent before its time.
    const cap = withdrawalCap(guard, now, rules);
    const left = cap > used.lamports ? cap - used.lamports : 0n;
    if (value > left) throw new AppError('DAILY_CAP', { needed: value, available: left, cap });
  }
  const due = dueAt(input);
  return { notBefore: due > now ? due : null };
}

/** The most that may be withdrawn within 24 hours. A PIN of a moment ago may be the thief's: until it is ripe little leaves. */
export function withdrawalCap(guard: Guard, now: number, rules: GuardRules): bigint {
  const common = capNow(guard, now, rules);
  const isRipe = ripensAt(guard, now, rules) === null;
  return isRipe || common < rules.unripeCapLamports ? common : rules.unripeCapLamports;
}
