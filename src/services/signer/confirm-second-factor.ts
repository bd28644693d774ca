import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { takePinTry, wrongPin } from '../../core/guard/pin.ts';
import { isUnused, openEnrolment, withSecondFactor } from '../../core/guard/second-factor.ts';
import { wrongPinAct } from './check-pin.ts';
import type { SignerDeps } from './deps.ts';
import type { PinTries } from './pin-tries.ts';

/**
 * Makes the secret and its recovery codes count, when `code` is one of its codes: from now on every proof needs one. For new
 * recovery codes alone it is one of the present authenticator's, not used before. A wrong code costs one of the PIN's tries.
 * `codesAlone` says which of the two it was. Throws BUTTON_STALE when no opened link waits, PIN_UNSUITABLE, PIN_WRONG, PIN_LOCKED.
 */
export async function confirmSecondFactor(
  { db, codes, clock, tries }: Pick<SignerDeps, 'db' | 'codes' | 'clock'> & { readonly tries: PinTries },
  input: { readonly userId: string; readonly code: string },
): Promise<{ readonly codesAlone: boolean }> {
  const { userId, code } = input;
  if (!/^[0-9]{6}$/.test(code)) throw new AppError('PIN_UNSUITABLE', { reason: 'code' });
  tries.take(userId);
  // Comparing takes no time: counted and compared under one lock, with nothing in between that could be lost.
  const { refused, codesAlone } = await db.transact(async ({ guards, auditLog }) => {
    const now = clock.now();
    const guard = await guards.lock(userId);
    const box = openEnrolment(guard, now);
    if (box === null) throw new AppError('BUTTON_STALE', {});
    const charged = takePinTry(guard, now);
    const step = codes.stepOf(box, userId, code, now);
    const isRight = step !== null && (box !== guard.totpBox || isUnused(guard, { step }));
    await guards.save(isRight ? withSecondFactor(charged, codes.activate(box, userId), step) : charged);
    const alone = guard.nextTotpBox === null;
    await auditLog.record(
      isRight
        ? ownAct(userId, now, alone ? 'recovery-codes-renewed' : 'second-factor-set', {})
        : wrongPinAct(charged, now),
    );
    return { refused: isRight ? null : wrongPin(charged), codesAlone: alone };
  });
  if (refused !== null) throw refused;
  tries.wasRight(userId);
  return { codesAlone };
}
