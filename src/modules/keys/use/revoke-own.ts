import { accountAct } from '../../../engine/audit/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';

/** Revokes a key for the reader of its account's mail, also while the API is paused. False when it was not valid any more. */
export function revokeOwn(
  deps: { readonly db: Pick<Database, 'transact'>; readonly clock: Clock },
  keyId: string,
): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    const now = deps.clock.now();
    const passed = passFree('api-key-revoke', null);
    const key = await stores.apiKeys.find(keyId);
    if (key === null || !(await stores.apiKeys.revoke(passed, keyId, now))) return false;
    await stores.auditLog.record(accountAct(key.account, now, 'api-key-revoked', { keyId }));
    return true;
  });
}
