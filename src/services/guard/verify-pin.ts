import { assertPinShape, assertPinUsable, takePinTry, wrongPin } from '../../core/guard/pin.ts';
import { isFreshStep, readFactors, rightFactors, secondFactor } from '../../core/guard/second-factor.ts';
import type { GuardDeps } from './deps.ts';

type VerifyDeps = Pick<GuardDeps, 'pins' | 'codes' | 'clock'> & {
  readonly db: Pick<GuardDeps['db'], 'guards' | 'transact'>;
};

/**
 * Returns when what was typed is right: the PIN, and behind it the authenticator's code where the person has one. The try is
 * counted and committed under the row's lock BEFORE anything is compared, so that ten thousand guesses at once compare five
 * at most, and a crash in between counts as a wrong try. A code is taken once: its step is written down under the same lock.
 * Throws PIN_REQUIRED, PIN_UNSUITABLE (costs no try), PIN_WRONG, PIN_LOCKED, SECRET_UNREADABLE.
 */
export async function verifyPin(
  { db, pins, codes, clock }: VerifyDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<void> {
  const { userId } = input;
  // Without the lock: a flood on a locked account costs one read each and no transaction.
  const seen = await db.guards.find(userId);
  assertPinUsable(seen, clock.now());
  const { pin, code } = readFactors(seen, input.pin, clock.now());
  assertPinShape(pin);
  const charged = await db.transact(async ({ guards }) => {
    const guard = takePinTry(await guards.lock(userId), clock.now());
    await guards.save(guard);
    return guard;
  });
  if (charged.pinHash === null || !(await pins.verify(charged.pinHash, pin, userId))) throw wrongPin(charged);
  const box = secondFactor(charged, clock.now());
  const step = box === null || code === null ? null : codes.stepOf(box, userId, code, clock.now());
  if (box !== null && step === null) throw wrongPin(charged);
  await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    // Changed meanwhile: what was right a moment ago is not any more.
    if (guard.pinHash !== charged.pinHash || guard.totpBox !== charged.totpBox) throw wrongPin(charged);
    if (step !== null && !isFreshStep(guard, step)) throw wrongPin(charged);
    await guards.save(rightFactors(guard, step));
  });
}
