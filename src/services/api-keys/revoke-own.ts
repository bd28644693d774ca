import { accountAct } from '../../core/audit-log/act.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';

/** Revokes a key for whoever reads the mail of its account. False when it was not valid any more. */
export function revokeOwn(
  { db, clock }: { readonly db: Pick<Database, 'transact'>; readonly clock: Clock },
  keyId: string,
): Promise<boolean> {
  return db.transact(async (stores) => {
    const now = clock.now();
    const key = await stores.apiKeys.find(keyId);
    if (key === null || !(await stores.apiKeys.revoke(keyId, now))) return false;
    await stores.auditLog.record(accountAct(key.account, now, 'api-key-revoked', { keyId }));
    return true;
  });
}
