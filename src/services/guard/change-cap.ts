import { ownAct } from '../../core/audit-log/act.ts';
import { capNow, withCap } from '../../core/guard/cap.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Sets the person's daily cap with their PIN: lower at once, higher after the delay. Returns the cap in force and the
 * moment at which a raise takes effect. Throws what `verifyPin` throws.
 */
export async function changeCap(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string; readonly lamports: bigint },
): Promise<{ readonly cap: bigint; readonly raisedAt: number | null }> {
  await verifyPin(deps, input);
  return deps.db.transact(async ({ guards, auditLog }) => {
    const now = deps.clock.now();
    const guard = withCap(await guards.lock(input.userId), input.lamports, now, deps.guardRules);
    await guards.save(guard);
    const waits = guard.nextCapAt !== null && guard.nextCapAt > now;
    const details = { lamports: input.lamports.toString(), from: waits ? guard.nextCapAt : null };
    await auditLog.record(ownAct(input.userId, now, 'cap-changed', details));
    return { cap: capNow(guard, now, deps.guardRules), raisedAt: waits ? guard.nextCapAt : null };
  });
}
