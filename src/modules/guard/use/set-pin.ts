import { AppError } from '../../../core/errors/app-error.ts';
import { isYoung } from '../../../core/time/age.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { assertPinSuitable, withPin } from '../rules/pin.ts';
import { NEW_PERSON_MS } from '../rules/unlock.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';
import { provenBefore, verifyPin } from './verify-pin.ts';

/** The text to remember until the PIN is typed again. Throws PIN_UNSUITABLE. */
export async function hashPin(
  deps: Pick<GuardDeps, 'vault'>,
  input: { readonly userId: string; readonly pin: string },
): Promise<string> {
  assertPinSuitable(input.pin);
  return deps.vault.draft({ userId: input.userId, text: input.pin });
}

/**
 * Sets the PIN whose draft was remembered, when `again` is the same PIN; false, and nothing changed, when it is not. `replaces` is the
 * hash that the change set out from: a person who has a PIN must have proven it (`beginPinChange`), and the faster of two wins. It
 * unlocks trades after the wait only, except a first one of a person who came within the last day. Restarts the wait of every address and
 * cancels withdrawals that waited and wallets that were to receive. Throws PIN_UNSUITABLE; BUTTON_STALE when the PIN was changed
 * meanwhile; the errors of `passGate`, as while everything is frozen.
 */
export async function setPin(
  deps: GuardDeps,
  input: {
    readonly userId: string;
    /** The result of `hashPin`. */
    readonly hash: string;
    readonly again: string;
    readonly replaces: string | null;
  },
): Promise<boolean> {
  const { userId, again } = input;
  assertPinSuitable(again);
  const hash = await deps.vault.pinOfDraft({ userId, draft: input.hash, pin: again });
  if (hash === null) return false;
  await deps.db.transact(async (stores) => {
    const { guards, users, wallets, auditLog, orders, copies, personalKeys } = stores;
    const guard = await guards.lock(userId);
    if (guard.pinHash !== input.replaces) throw new AppError('BUTTON_STALE', {});
    const now = deps.clock.now();
    const isNew = isYoung((await users.find(userId))?.createdAt ?? 0, NEW_PERSON_MS, deps.clock);
    const changed = withPin(guard, hash, now, deps.guardRules, input.replaces === null && isNew);
    // The present PIN was right at `beginPinChange`, and its hash is compared above.
    const proof = input.replaces === null ? null : provenBefore(userId);
    const act = input.replaces === null ? 'pin-set' : 'pin-change';
    const passed = await passGate(stores, deps, { act, userId, proof, until: changed.unlocksFrom });
    await guards.save(changed, passed);
    // They rest on the PIN before.
    await orders.pauseGranted(userId);
    await copies.pauseAll(passed, userId, 'mandate');
    await personalKeys.endAll(passed, userId, now);
    await wallets.stopReceiving(passed, userId, now);
    await auditLog.record(ownAct(userId, now, guard.pinHash === null ? 'pin-set' : 'pin-changed', {}));
  });
  await cancelWaiting(deps, { userId, only: 'withdrawals' });
  return true;
}

/** The hash that a change replaces, after the present PIN was right. Throws the errors of `verifyPin`. */
export async function beginPinChange(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<string | null> {
  await verifyPin(deps, input);
  return (await deps.db.guards.find(input.userId)).pinHash;
}
