import { ownAct } from '../../core/audit-log/act.ts';
import { freeze, isFrozen, unfreeze } from '../../core/guard/freeze.ts';
import { type CancelDeps, cancelWaiting } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/** Nothing is signed for the person from the commit on; what waits is cancelled. Returns how many. Needs no PIN. */
export async function freezeAccount(
  deps: CancelDeps,
  input: { readonly userId: string },
): Promise<{ readonly cancelled: number }> {
  await deps.db.transact(async ({ guards, auditLog, orders }) => {
    const now = deps.clock.now();
    await guards.save(freeze(await guards.lock(input.userId), now));
    // Unfreezing resumes none of them: the list asks for each, at the price of then.
    await orders.pauseAll(input.userId, 'panic', now);
    await auditLog.record(ownAct(input.userId, now, 'frozen', {}));
  });
  return { cancelled: await cancelWaiting(deps, { userId: input.userId, only: 'everything' }) };
}

/**
 * Asks for the end of a freeze with the PIN. Returns when it takes effect, null = it has. Throws what `verifyPin` throws.
 */
export async function unfreezeAccount(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly until: number | null }> {
  await verifyPin(deps, input);
  return deps.db.transact(async ({ guards, auditLog }) => {
    const now = deps.clock.now();
    const guard = unfreeze(await guards.lock(input.userId), now, deps.guardRules);
    await guards.save(guard);
    const until = isFrozen(guard, now) ? guard.unfreezeAt : null;
    await auditLog.record(ownAct(input.userId, now, 'unfreeze-asked', { until }));
    return { until };
  });
}
