import type { Actor } from '../../../engine/audit/rules.ts';
import { isFrozen } from '../rules/freeze.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';

/**
 * Ends a freeze at once, for a person whom the operator knows: who has no PIN that was ripe would wait seven days. The person has a
 * notice with a button that freezes again; caps, PIN and waits stay. False, and nothing changed, where nothing is frozen.
 */
export async function endFreezeByOperator(
  deps: Pick<GuardDeps, 'db' | 'clock' | 'ids' | 'guardRules'>,
  input: { readonly userId: string; readonly actor: Actor; readonly reason: string },
): Promise<boolean> {
  const { userId, actor, reason } = input;
  return deps.db.transact(async (stores) => {
    const at = deps.clock.now();
    const guard = await stores.guards.lock(userId);
    if (!isFrozen(guard, deps.clock)) return false;
    const passed = await passGate(stores, deps, { act: 'freeze-end-by-operator', userId });
    await stores.guards.save({ ...guard, frozenAt: null, unfreezeAt: null }, passed);
    const entry = { at, actor, subject: userId, outcome: 'done' } as const;
    await stores.auditLog.record({ ...entry, act: 'freeze-ended', details: { reason } });
    return true;
  });
}
