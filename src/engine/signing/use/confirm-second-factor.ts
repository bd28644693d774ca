import { AppError } from '../../../core/errors/app-error.ts';
import { takePinTry, wrongPin } from '../../../modules/guard/rules/pin.ts';
import { isUnused, openEnrolment, withSecondFactor } from '../../../modules/guard/rules/second-factor.ts';
import { passSecondStep } from '../../../modules/guard/use/pass-gate.ts';
import { ownAct } from '../../audit/rules.ts';
import { wrongPinAct } from './check-pin.ts';
import type { SignerDeps } from './deps.ts';
import type { PinTries } from './pin-tries.ts';

/**
 * Makes the secret and its recovery codes count, when `code` is one of its codes: from now on every proof needs one. For new
 * recovery codes alone it is one of the present authenticator's, not used before. A wrong code costs one of the PIN's tries.
 * `codesAlone` says which of the two it was. Throws BUTTON_STALE when no opened link waits, PIN_UNSUITABLE, PIN_WRONG, PIN_LOCKED.
 */
export async function confirmSecondFactor(
  deps: Pick<SignerDeps, 'db' | 'codes' | 'clock' | 'guardRules'> & { readonly tries: PinTries },
  input: { readonly userId: string; readonly code: string },
): Promise<{ readonly codesAlone: boolean }> {
  const { db, codes, clock, tries } = deps;
  const { userId, code } = input;
  if (!/^[0-9]{6}$/.test(code)) throw new AppError('PIN_UNSUITABLE', { reason: 'code' });
  await tries.take(userId);
  // Comparing takes no time: counted and compared under one lock, with nothing in between that could be lost.
  const { refused, codesAlone } = await db.transact(async (stores) => {
    const { guards, auditLog, orders } = stores;
    const now = clock.now();
    const guard = await guards.lock(userId);
    const box = openEnrolment(guard, now);
    if (box === null) throw new AppError('BUTTON_STALE', {});
    const charged = takePinTry(guard, now);
    const step = codes.stepOf(box, userId, code, now);
    const isRight = step !== null && (box !== guard.totpBox || isUnused(guard, { step }));
    const alone = guard.nextTotpBox === null;
    if (isRight) {
      const act = alone ? 'factor-codes' : 'factor-add';
      const passed = await passSecondStep(stores, deps, { act, userId });
      await guards.save(withSecondFactor(charged, codes.activate(box, userId), step), passed);
      // Permissions by the PIN alone are asked for anew.
      await orders.pauseGranted(userId);
    } else {
      await guards.saveTries(charged);
    }
    await auditLog.record(
      isRight
        ? ownAct(userId, now, alone ? 'recovery-codes-renewed' : 'second-factor-set', {})
        : wrongPinAct(charged, now),
    );
    return { refused: isRight ? null : wrongPin(charged), codesAlone: alone };
  });
  if (refused !== null) throw refused;
  await tries.wasRight(userId);
  return { codesAlone };
}
