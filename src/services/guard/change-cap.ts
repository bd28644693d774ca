import { ownAct } from '../../core/audit-log/act.ts';
import { type CapKind, capNow, nextCap, withCap } from '../../core/guard/cap.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Sets one of the person's daily caps with their PIN: lower at once, higher after the delay. Returns the cap in force and the
 * moment at which a raise takes effect. Throws what `verifyPin` throws.
 */
export async function changeCap(
  deps: GuardDeps,
  input: {
    readonly userId: string;
    readonly pin: string;
    readonly lamports: bigint;
    readonly kind?: CapKind;
  },
): Promise<{ readonly cap: bigint; readonly raisedAt: number | null }> {
  await verifyPin(deps, input);
  return deps.db.transact(async ({ guards, auditLog }) => {
    const now = deps.clock.now();
    const { kind = 'withdrawals', lamports } = input;
    const guard = withCap(await guards.lock(input.userId), lamports, now, deps.guardRules, kind);
    await guards.save(guard);
    const raisedAt = nextCap(guard, now, kind)?.at ?? null;
    const details = { cap: kind, lamports: lamports.toString(), from: raisedAt };
    await auditLog.record(ownAct(input.userId, now, 'cap-changed', details));
    return { cap: capNow(guard, now, deps.guardRules, kind), raisedAt };
  });
}
