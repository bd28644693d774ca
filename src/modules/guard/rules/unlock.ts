import { AppError } from '../../../core/errors/app-error.ts';
import { earliestOf, isOver, isStill, type Reading } from '../../../core/time/due.ts';
import { SKEW_MS } from '../../../core/time/span.ts';
import type { Guard } from './guard.ts';

/** How long a right PIN lets trades through. */
export const UNLOCK_MS = 12 * 3_600_000;
/** Who has been here for less may unlock with the first PIN they set: a stolen account with money in it is older. */
export const NEW_PERSON_MS = 24 * 3_600_000;

type Lock = Pick<Guard, 'unlockedUntil'>;

/** True from a PIN that was right for trades until twelve hours later, unless something ended it or the clock was set back behind it. */
export function isUnlocked(guard: Lock, at: Reading): boolean {
  const until = guard.unlockedUntil;
  return until !== null && isStill(until, at) && earliestOf(at) >= until - UNLOCK_MS - SKEW_MS;
}

/**
 * Throws PIN_REQUIRED without a PIN, and PIN_TOO_NEW while the present one unlocks nothing yet: where there was no PIN, any holder of the
 * account can set one, and must not gain by it before the owner could see it.
 */
export function assertMayUnlock(guard: Pick<Guard, 'pinHash' | 'unlocksFrom'>, at: Reading): void {
  if (guard.pinHash === null) throw new AppError('PIN_REQUIRED', {});
  if (guard.unlocksFrom !== null && !isOver(guard.unlocksFrom, at)) {
    throw new AppError('PIN_TOO_NEW', { until: guard.unlocksFrom });
  }
}

export function unlocked(guard: Guard, now: number): Guard {
  return { ...guard, unlockedUntil: now + UNLOCK_MS };
}

/** True where there is a PIN that counts for trades: a new one has to ripen first. */
export function hasRipePin(
  { pinHash, unlocksFrom }: Pick<Guard, 'pinHash' | 'unlocksFrom'>,
  at: Reading,
): boolean {
  return pinHash !== null && (unlocksFrom === null || isOver(unlocksFrom, at));
}

/** The next trade that needs the PIN asks for it, and earlier grants of orders count no more. */
export function locked(guard: Guard): Guard {
  return { ...guard, unlockedUntil: null, lockEpoch: guard.lockEpoch + 1 };
}
