import { AppError } from '../../../core/errors/app-error.ts';
import { isOver, type Reading } from '../../../core/time/due.ts';
import type { Guard, GuardRules } from './guard.ts';
import { withoutNextMail } from './notice-mail.ts';
import { locked } from './unlock.ts';

type Frost = Pick<Guard, 'frozenAt' | 'unfreezeAt'>;

/** True from the tap on freeze until an unfreezing that was asked for has waited its time. */
export function isFrozen(guard: Frost, at: Reading): boolean {
  return guard.frozenAt !== null && (guard.unfreezeAt === null || !isOver(guard.unfreezeAt, at));
}

/** Throws ACCOUNT_FROZEN, with the moment it ends when that is known. */
export function assertNotFrozen(guard: Frost, at: Reading): void {
  if (isFrozen(guard, at)) throw new AppError('ACCOUNT_FROZEN', { until: guard.unfreezeAt });
}

/**
 * Freezes at once, also while an unfreezing waits: the thief may have asked for it. A change of the notice mail that waits is over. A frozen account keeps its moment, or a
 * thief's young PIN would ripen under one freeze and end the next.
 */
export function freeze(guard: Guard, now: number): Guard {
  const kept = withoutNextMail(locked(guard), now);
  return { ...kept, frozenAt: isFrozen(guard, now) ? guard.frozenAt : now, unfreezeAt: null };
}

/** Whether the PIN was old enough when everything was frozen: then it ends the freeze, with the short wait. */
export function hadRipePin({ pinHash, unlocksFrom, frozenAt }: Guard): boolean {
  return pinHash !== null && (unlocksFrom === null || (frozenAt !== null && unlocksFrom <= frozenAt));
}

/** The row of the gate that the end of this freeze passes. */
export function endOfFreeze(guard: Guard): 'freeze-end' | 'freeze-end-unripe' {
  return hadRipePin(guard) ? 'freeze-end' : 'freeze-end-unripe';
}

/** Without a PIN that was ripe the owner must have time to freeze again: as many long waits. */
const UNRIPE_WAITS = 7;

/** How long the end of this freeze waits once it is asked for, in milliseconds. */
export function thawWaitMs(guard: Guard, rules: GuardRules): number {
  return hadRipePin(guard) ? rules.delayMs : UNRIPE_WAITS * rules.longDelayMs;
}

/** Asks for the end of the freeze; a second asking does not shorten the wait, nor lengthen it. */
export function unfreeze(guard: Guard, now: number, rules: GuardRules): Guard {
  if (!isFrozen(guard, now) || guard.unfreezeAt !== null) return guard;
  return { ...guard, unfreezeAt: now + thawWaitMs(guard, rules) };
}
