import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { assertPinSuitable, withPin } from '../../core/guard/pin.ts';
import { NEW_PERSON_MS } from '../../core/guard/unlock.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/** The text to remember until the PIN is typed again. Throws PIN_UNSUITABLE. */
export async function hashPin(
  deps: Pick<GuardDeps, 'vault'>,
  input: { readonly userId: string; readonly pin: string },
): Promise<string> {
  assertPinSuitable(input.pin);
  return deps.vault.draft({ userId: input.userId, text: input.pin });
}

/**
 * Sets the PIN whose draft was remembered, when `again` is the same PIN; false, and nothing changed, when it is not.
 * `replaces` is the hash that the change set out from: somebody who has a PIN must have proven it (`beginPinChange`), and
 * whoever was faster wins. It unlocks trades after the wait only, except a first one of somebody who came within the last day.
 * Restarts the wait of every address and cancels withdrawals that waited. Throws PIN_UNSUITABLE;
 * BUTTON_STALE when the PIN was changed meanwhile.
 */
export async function setPin(
  deps: GuardDeps,
  input: {
    readonly userId: string;
    /** What `hashPin` gave. */
    readonly hash: string;
    readonly again: string;
    readonly replaces: string | null;
  },
): Promise<boolean> {
  const { userId, again } = input;
  assertPinSuitable(again);
  const hash = await deps.vault.pinOfDraft({ userId, draft: input.hash, pin: again });
  if (hash === null) return false;
  await deps.db.transact(async ({ guards, users, auditLog }) => {
    const guard = await guards.lock(userId);
    if (guard.pinHash !== input.replaces) throw new AppError('BUTTON_STALE', {});
    const now = deps.clock.now();
    const isNew = now - ((await users.find(userId))?.createdAt ?? 0) < NEW_PERSON_MS;
    await guards.save(withPin(guard, hash, now, deps.guardRules, input.replaces === null && isNew));
    await auditLog.record(ownAct(userId, now, guard.pinHash === null ? 'pin-set' : 'pin-changed', {}));
  });
  await cancelWaiting(deps, { userId, only: 'withdrawals' });
  return true;
}

/** The hash that a change replaces, after the present PIN was right. Throws what `verifyPin` throws. */
export async function beginPinChange(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<string | null> {
  await verifyPin(deps, input);
  return (await deps.db.guards.find(input.userId)).pinHash;
}
