import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { ApiKey, ApiKeyStore, KeyReplacing } from '../store/api-key-store-port.ts';
import { issueApiKey } from './issue-api-key.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How long the old key lives beside the new one, counted from the moment the new one exists. */
export const OVERLAP_MS = 7 * DAY_MS;
const MAILS_PER_HOUR = 3;

/**
 * Makes a key like `id` in its place: same account, scopes and limits. The old one lives for `overlapMs` at most. Call inside
 * `transact`; null when the old one is not valid, or has a successor already.
 */
export async function replaceKey(
  deps: { readonly keys: ApiKeyStore; readonly secrets: ApiKeySecrets; readonly clock: Clock },
  passed: Passed<KeyReplacing>,
  id: string,
  overlapMs: number,
): Promise<{ readonly text: string; readonly key: ApiKey } | null> {
  const now = deps.clock.now();
  const old = await deps.keys.find(id);
  if (old === null) return null;
  const { account, scopes, ratePerSecond, burst, maxReferrerFeeBps, dayQuota, email, expiresAt } = old;
  const issued = await issueApiKey(deps, passed, {
    account,
    scopes,
    ratePerSecond,
    burst,
    maxReferrerFeeBps,
    dayQuota,
    email,
    expiresAt,
  });
  const isReplaced = await deps.keys.replace(passed, id, {
    id: issued.key.id,
    expiresAt: now + overlapMs,
    now,
  });
  if (isReplaced) return issued;
  // Another caller was first: the key made just now must not stay.
  await deps.keys.revoke(passed, issued.key.id, now);
  return null;
}

export type RotationMail = 'mailed' | 'no-address' | 'too-often';

/**
 * Mails a link to the address of a key, behind which a new key is made to replace it. Nothing changes before that button is pressed, so a
 * thief of the key gains nothing by asking.
 */
export async function requestRotation(
  deps: {
    readonly db: Pick<Database, 'transact' | 'apiKeys'>;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly nudge: () => void;
  },
  keyId: string,
): Promise<RotationMail> {
  const key = await deps.db.apiKeys.find(keyId);
  const to = key?.email ?? null;
  if (to === null) return 'no-address';
  const isQueued = await deps.db.transact(async (stores) => {
    const sent = await stores.mails.countSince(to, 'rotate', deps.clock.now() - HOUR_MS);
    if (sent >= MAILS_PER_HOUR) return false;
    await queueMail(deps, stores, { to, template: 'rotate', subject: keyId, args: { key: keyId } });
    return true;
  });
  if (!isQueued) return 'too-often';
  deps.nudge();
  return 'mailed';
}
