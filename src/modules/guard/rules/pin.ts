import { AppError } from '../../../core/errors/app-error.ts';
import { isLockedOut } from '../../../core/time/span.ts';
import { withRaisesPutOff } from './cap.ts';
import type { Guard, GuardRules } from './guard.ts';
import { withoutNextMail } from './notice-mail.ts';
import { locked } from './unlock.ts';

export const PIN_TRIES = 5;
/** The first lock-out; each further one in a row is twice as long, up to a day. */
const LOCK_MS = 15 * 60_000;
const LONGEST_LOCK_MS = 86_400_000;

/** Throws PIN_UNSUITABLE unless it is six ASCII digits that are neither all the same nor a straight run. */
export function assertPinSuitable(pin: string): void {
  assertPinShape(pin);
  const digits = Array.from(pin, Number);
  const steps = digits.slice(1).map((digit, index) => digit - (digits[index] ?? 0));
  // Six digits whose steps are all alike are a run of ones, or the same digit: there is no room for longer steps.
  if (new Set(steps).size === 1) throw new AppError('PIN_UNSUITABLE', { reason: 'weak' });
}

export function assertPinShape(pin: string): void {
  if (!/^[0-9]{6}$/.test(pin)) throw new AppError('PIN_UNSUITABLE', { reason: 'shape' });
}

/**
 * Takes one try, to be stored BEFORE the PIN is compared: of any number of guesses that arrive together at most five are
 * ever compared. The fifth try locks already; a right PIN lifts the lock again. Throws PIN_REQUIRED and PIN_LOCKED.
 */
export function takePinTry(guard: Guard, now: number): Guard {
  assertPinUsable(guard, now);
  return charged(guard, now);
}

/**
 * As `takePinTry`, for a try whose digest is `trying`. A try that was charged, and whose process died before it could say yes or no, is
 * not charged again when the very same is typed: it is the same guess, and the first one gave no answer. `isInFlight`: that one is being
 * compared in this process now, so it did not die.
 */
export function takeNamedTry(guard: Guard, now: number, trying: string, isInFlight: boolean): Guard {
  assertPinUsable(guard, now);
  if (guard.pinTrying === trying && !isInFlight) return guard;
  return { ...charged(guard, now), pinTrying: trying };
}

function charged(guard: Guard, now: number): Guard {
  // A lock that has ended gives five new tries.
  const failures = (guard.pinLockedUntil === null ? guard.pinFailures : 0) + 1;
  if (failures < PIN_TRIES) return { ...guard, pinFailures: failures, pinLockedUntil: null };
  return {
    ...guard,
    pinFailures: failures,
    pinLocks: guard.pinLocks + 1,
    pinLockedUntil: now + lockMsOf(guard.pinLocks),
  };
}

/** How long the next lock-out lasts after so many in a row. */
function lockMsOf(before: number): number {
  return Math.min(LONGEST_LOCK_MS, LOCK_MS * 2 ** Math.min(before, 10));
}

/** Throws PIN_REQUIRED without a PIN and PIN_LOCKED while it is locked. */
export function assertPinUsable(guard: Guard, now: number): void {
  if (guard.pinHash === null) throw new AppError('PIN_REQUIRED', {});
  const { pinLockedUntil: until } = guard;
  if (until !== null && isLockedOut(until, now, lockMsOf(Math.max(0, guard.pinLocks - 1)))) {
    throw new AppError('PIN_LOCKED', { until });
  }
}

/** The refusal after a wrong try. */
export function wrongPin(guard: Guard): AppError {
  return guard.pinLockedUntil === null
    ? new AppError('PIN_WRONG', {
        triesLeft: PIN_TRIES - guard.pinFailures,
        withCode: guard.totpBox !== null,
      })
    : new AppError('PIN_LOCKED', { until: guard.pinLockedUntil });
}

export function rightPin(guard: Guard): Guard {
  return { ...guard, pinFailures: 0, pinLocks: 0, pinLockedUntil: null, pinTrying: null };
}

/**
 * A new PIN. It restarts the wait of every address and of a raised cap, and ends a change of the notice mail that waits. It unlocks trades
 * only after the same wait unless `unlocksAtOnce`: a thief of the phone who sets or changes it gains nothing from the owner's preparations.
 */
export function withPin(
  guard: Guard,
  pinHash: string,
  now: number,
  rules: GuardRules,
  unlocksAtOnce = false,
): Guard {
  return {
    ...locked(withoutNextMail(withRaisesPutOff(rightPin(guard), now, rules), now)),
    pinHash,
    pinSetAt: now,
    pinRightAt: now,
    pinIsFirst: guard.pinHash === null,
    delayFrom: now,
    unlocksFrom: unlocksAtOnce ? null : now + rules.longDelayMs,
  };
}

/** True while a first PIN ripens: so long a tap on Stop takes it away again. A changed one replaced a known PIN. */
export function isRemovable(
  guard: Pick<Guard, 'pinHash' | 'pinIsFirst' | 'pinSetAt'>,
  now: number,
  rules: GuardRules,
): boolean {
  return (
    guard.pinHash !== null &&
    guard.pinIsFirst &&
    guard.pinSetAt !== null &&
    now < guard.pinSetAt + rules.longDelayMs
  );
}

/** No PIN, as before the first one. */
export function withoutPin(guard: Guard): Guard {
  return {
    ...locked(rightPin(guard)),
    pinHash: null,
    pinSetAt: null,
    pinRightAt: null,
    pinIsFirst: false,
    unlocksFrom: null,
  };
}
