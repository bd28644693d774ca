import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { endOfFreeze, freeze, isFrozen, unfreeze } from '../rules/freeze.ts';
import { passFree } from '../rules/pass-free.ts';
import { type CancelDeps, cancelWaiting } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Nothing is signed for the person from the commit on; waiting intents are cancelled, and no wallet begins to receive. Returns how many
 * intents were cancelled. Needs no PIN.
 */
export async function freezeAccount(
  deps: CancelDeps,
  input: { readonly userId: string },
): Promise<{ readonly cancelled: number }> {
  await deps.db.transact(async ({ guards, auditLog, orders, copies, personalKeys, wallets }) => {
    const now = deps.clock.now();
    const passed = passFree('panic', input.userId);
    await guards.save(freeze(await guards.lock(input.userId), now), passed);
    await wallets.stopReceiving(passed, input.userId, now);
    // Unfreezing resumes none of them: the list asks for each, at the price of then.
    await orders.pauseAll(input.userId, 'panic', now);
    await copies.pauseAll(passed, input.userId, 'panic');
    await personalKeys.endAll(passed, input.userId, now);
    await auditLog.record(ownAct(input.userId, now, 'frozen', {}));
  });
  return { cancelled: await cancelWaiting(deps, { userId: input.userId, only: 'everything' }) };
}

/**
 * Asks for the end of a freeze: with the PIN where it was ripe when everything was frozen, else without and with the long wait. A PIN
 * that was set later, or is not known, ends nothing soon. Returns when it takes effect, null = it has. Throws the errors of `verifyPin`
 * and `passGate`.
 */
export async function unfreezeAccount(
  deps: GuardDeps,
  input: { readonly userId: string /** Null where it takes none. */; readonly pin: string | null },
): Promise<{ readonly until: number | null }> {
  const { userId } = input;
  const seen = await deps.db.guards.find(userId);
  if (!isFrozen(seen, deps.clock)) return { until: null };
  const act = endOfFreeze(seen);
  const { pin } = input;
  const proof = act === 'freeze-end' && pin !== null ? await verifyPin(deps, { userId, pin }) : null;
  return deps.db.transact(async (stores) => {
    const { guards, auditLog } = stores;
    const now = deps.clock.now();
    const frozen = await guards.lock(userId);
    // Frozen, or stopped, meanwhile: another question than the one that was answered.
    if (endOfFreeze(frozen) !== act) throw new AppError('BUTTON_STALE', {});
    const guard = unfreeze(frozen, now, deps.guardRules);
    const passed = await passGate(stores, deps, { act, userId, proof, until: guard.unfreezeAt });
    await guards.save(guard, passed);
    const until = isFrozen(guard, now) ? guard.unfreezeAt : null;
    await auditLog.record(ownAct(userId, now, 'unfreeze-asked', { until }));
    return { until };
  });
}
