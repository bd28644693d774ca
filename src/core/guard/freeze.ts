import { AppError } from '../errors/app-error.ts';
import type { Guard, GuardRules } from './guard.ts';
import { locked } from './unlock.ts';

type Frost = Pick<Guard, 'frozenAt' | 'unfreezeAt'>;

/** True from the tap on freeze until an unfreezing that was asked for has waited its time. */
export function isFrozen(guard: Frost, now: number): boolean {
  return guard.frozenAt !== null && (guard.unfreezeAt === null || now < guard.unfreezeAt);
}

/** Throws ACCOUNT_FROZEN, with the moment it ends when that is known. */
export function assertNotFrozen(guard: Frost, now: number): void {
  if (isFrozen(guard, now)) throw new AppError('ACCOUNT_FROZEN', { until: guard.unfreezeAt });
}

/** Freezes at once, also while an unfreezing waits: whoever asked for that one may be the thief. */
export function freeze(guard: Guard, now: number): Guard {
  return { ...locked(guard), frozenAt: now, unfreezeAt: null };
}

/** Asks for the end of the freeze; a second asking does not shorten the wait, nor lengthen it. */
export function unfreeze(guard: Guard, now: number, rules: GuardRules): Guard {
  if (!isFrozen(guard, now) || guard.unfreezeAt !== null) return guard;
  return { ...guard, unfreezeAt: now + rules.delayMs };
}
