import { ownAct } from '../../../engine/audit/rules.ts';
import { type CapKind, capAct, capNow, nextCap, withCap } from '../rules/cap.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Sets one of the person's daily caps: lower at once and without a PIN, higher with a ripe one after the long wait. Returns the cap in
 * force and the moment at which a raise takes effect. Throws the errors of `verifyPin` and `passGate`.
 */
export async function changeCap(
  deps: GuardDeps,
  input: {
    readonly userId: string;
    /** Null where it is lowered. */
    readonly pin: string | null;
    readonly lamports: bigint;
    readonly kind?: CapKind;
  },
): Promise<{ readonly cap: bigint; readonly raisedAt: number | null }> {
  const { userId, pin, kind = 'withdrawals', lamports } = input;
  const proof = pin === null ? null : await verifyPin(deps, { userId, pin });
  return deps.db.transact(async (stores) => {
    const { guards, auditLog } = stores;
    const now = deps.clock.now();
    const before = await guards.lock(userId);
    const guard = withCap(before, lamports, now, deps.guardRules, kind);
    const raisedAt = nextCap(guard, now, kind)?.at ?? null;
    const act = capAct(before, lamports, now, deps.guardRules, kind);
    const passed = await passGate(stores, deps, { act, userId, proof, until: raisedAt });
    await guards.save(guard, passed);
    const details = { cap: kind, lamports: lamports.toString(), from: raisedAt };
    await auditLog.record(ownAct(userId, now, 'cap-changed', details));
    return { cap: capNow(guard, now, deps.guardRules, kind), raisedAt };
  });
}
