import type { Guard } from '../../../modules/guard/rules/guard.ts';
import {
  assertPinShape,
  assertPinUsable,
  PIN_TRIES,
  takeNamedTry,
  wrongPin,
} from '../../../modules/guard/rules/pin.ts';
import {
  type Factors,
  isUnused,
  type RightCode,
  readFactors,
  rightFactors,
  secondFactor,
  type TypedCode,
} from '../../../modules/guard/rules/second-factor.ts';
import { type ActEntry, ownAct } from '../../audit/rules.ts';
import type { SignerDeps } from './deps.ts';
import type { PinTries } from './pin-tries.ts';

type CheckDeps = Pick<SignerDeps, 'pins' | 'codes' | 'clock'> & {
  readonly db: Pick<SignerDeps['db'], 'guards' | 'transact'>;
  readonly tries: PinTries;
};

/**
 * Returns when the input is right: the PIN, and behind it the authenticator's code, or a recovery code, where the person has one. The try
 * is counted and committed under the row's lock BEFORE anything is compared, so that ten thousand guesses at once compare five at most. A
 * crash in between leaves a charged try; the very same one does not cost another. A code is taken once: it is written down under the same
 * lock. Each comparison is counted in the signer's journal too (`PinTries`), where no writer of the database can set it back. Throws
 * PIN_REQUIRED, PIN_UNSUITABLE (costs no try), PIN_WRONG, PIN_LOCKED, SECRET_UNREADABLE.
 */
export async function checkPin(
  deps: CheckDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<void> {
  const { db, codes, clock, tries } = deps;
  const { userId } = input;
  // Without the lock: a flood on a locked account costs one read each and no transaction.
  const seen = await db.guards.find(userId);
  assertPinUsable(seen, clock.now());
  const { pin, code } = readFactors(seen, input.pin, clock.now());
  assertPinShape(pin);
  // Under the pepper: a dump alone cannot try PINs against the remains of a crash.
  const trying = codes.tryDigest(userId, input.pin);
  const isInFlight = inFlight.has(trying);
  inFlight.add(trying);
  try {
    const charged = await db.transact(async ({ guards }) => {
      const guard = takeNamedTry(await guards.lock(userId), clock.now(), trying, isInFlight);
      await guards.saveTries(guard);
      return guard;
    });
    await tries.take(userId);
    await compare(deps, { userId, pin, code, charged, trying });
  } finally {
    inFlight.delete(trying);
  }
  await tries.wasRight(userId);
}

/** Tries that this process compares now. */
const inFlight = new Set<string>();

async function compare(
  deps: CheckDeps,
  typed: Factors & { readonly userId: string; readonly charged: Guard; readonly trying: string },
): Promise<void> {
  const { db, pins, codes, clock } = deps;
  const { userId, pin, code, charged, trying } = typed;
  /** Said to be wrong: from here on the same guess costs a try again. */
  const refuse = async (): Promise<never> => {
    await db.transact(async ({ guards, auditLog }) => {
      const guard = await guards.lock(userId);
      if (guard.pinTrying === trying) await guards.saveTries({ ...guard, pinTrying: null });
      await auditLog.record(wrongPinAct(charged, clock.now()));
    });
    throw wrongPin(charged);
  };
  if (charged.pinHash === null || !(await pins.verify(charged.pinHash, pin, userId))) return refuse();
  const box = secondFactor(charged, clock);
  const right =
    box === null || code === null ? null : rightCode(codes, { box, userId, code, now: clock.now() });
  if (box !== null && right === null) return refuse();
  const isTaken = await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    // Changed meanwhile: an input that was right a moment ago is not any more.
    if (guard.pinHash !== charged.pinHash || guard.totpBox !== charged.totpBox) return false;
    if (right !== null && !isUnused(guard, right)) return false;
    await guards.saveTries(rightFactors(guard, right, clock.now()));
    return true;
  });
  if (!isTaken) await refuse();
}

/** The trail's entry for a wrong try; `charged` is the guard that has counted it. */
export function wrongPinAct({ userId, pinFailures, pinLockedUntil }: Guard, now: number): ActEntry {
  const triesLeft = pinLockedUntil === null ? PIN_TRIES - pinFailures : 0;
  return ownAct(userId, now, 'pin-wrong', { triesLeft, lockedUntil: pinLockedUntil }, 'refused');
}

/** Null for a code of no step. Whether a recovery code is one of theirs is asked of the row that is saved. */
function rightCode(
  codes: SignerDeps['codes'],
  typed: { readonly box: string; readonly userId: string; readonly code: TypedCode; readonly now: number },
): RightCode | null {
  const { box, userId, code, now } = typed;
  if (code.kind === 'recovery') return { recovery: codes.recoveryDigest(userId, code.text) };
  const step = codes.stepOf(box, userId, code.text, now);
  return step === null ? null : { step };
}
