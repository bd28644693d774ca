import { assertPinShape, assertPinUsable, rightPin, takePinTry, wrongPin } from '../../core/guard/pin.ts';
import type { GuardDeps } from './deps.ts';

type VerifyDeps = Pick<GuardDeps, 'pins' | 'clock'> & {
  readonly db: Pick<GuardDeps['db'], 'guards' | 'transact'>;
};

/**
 * Returns when the PIN is right. The try is counted and committed under the row's lock BEFORE anything is compared, so that
 * ten thousand guesses at once compare five at most, and a crash in between counts as a wrong try. Throws PIN_REQUIRED,
 * PIN_UNSUITABLE (costs no try), PIN_WRONG, PIN_LOCKED.
 */
export async function verifyPin(
  { db, pins, clock }: VerifyDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<void> {
  const { userId, pin } = input;
  // Without the lock: a flood on a locked account costs one read each and no transaction.
  assertPinUsable(await db.guards.find(userId), clock.now());
  assertPinShape(pin);
  const charged = await db.transact(async ({ guards }) => {
    const guard = takePinTry(await guards.lock(userId), clock.now());
    await guards.save(guard);
    return guard;
  });
  if (charged.pinHash === null || !(await pins.verify(charged.pinHash, pin, userId))) throw wrongPin(charged);
  await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    // Changed meanwhile: what was right a moment ago is not any more.
    if (guard.pinHash !== charged.pinHash) throw wrongPin(charged);
    await guards.save(rightPin(guard));
  });
}
