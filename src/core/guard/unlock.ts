import { AppError } from '../errors/app-error.ts';
import { isWithin } from '../time/span.ts';
import type { Guard } from './guard.ts';

/** How long a right PIN lets trades through. */
export const UNLOCK_MS = 12 * 3_600_000;
/** Who has been here for less may unlock with the first PIN they set: a stolen account with money in it is older. */
export const NEW_PERSON_MS = 24 * 3_600_000;

type Lock = Pick<Guard, 'unlockedUntil'>;

/** True from a PIN that was right for trades until twelve hours later, unless something ended it or the clock was set back behind it. */
export function isUnlocked(guard: Lock, now: number): boolean {
  const until = guard.unlockedUntil;
  return until !== null && isWithin({ from: until - UNLOCK_MS, until }, now);
}

/**
 * Throws PIN_TOO_NEW while the present PIN unlocks nothing yet: where there was no PIN, whoever sits at the account can set one,
 * and must not gain by it before the owner could see it.
 */
export function assertMayUnlock(guard: Pick<Guard, 'unlocksFrom'>, now: number): void {
  if (guard.unlocksFrom !== null && now < guard.unlocksFrom) {
    throw new AppError('PIN_TOO_NEW', { until: guard.unlocksFrom });
  }
}

export function unlocked(guard: Guard, now: number): Guard {
  return { ...guard, unlockedUntil: now + UNLOCK_MS };
}

/** The next trade that needs the PIN asks for it. */
export function locked(guard: Guard): Guard {
  return guard.unlockedUntil === null ? guard : { ...guard, unlockedUntil: null };
}
