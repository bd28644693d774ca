import type { KeyRequestDraft } from '../../core/keys/key-request.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import { queueMail } from '../mail/queue-mail.ts';

/** As long as the link of the first mail works. */
const CONFIRM_WITHIN_MS = 86_400_000;

/**
 * Notes a request and asks the address to confirm it. Says nothing about what was known: an address with an open request gets
 * no second mail, and whoever fills in the form cannot tell. An unconfirmed request whose link has expired makes room for a
 * new one.
 */
export async function requestKey(
  deps: {
    readonly db: Pick<Database, 'transact'>;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly nudge: () => void;
  },
  draft: KeyRequestDraft,
): Promise<void> {
  const now = deps.clock.now();
  const isNew = await deps.db.transact(async (stores) => {
    await stores.keyRequests.dropUnconfirmed(draft.email, now - CONFIRM_WITHIN_MS);
    const id = deps.ids.ulid();
    const inserted = await stores.keyRequests.insert({
      ...draft,
      id,
      status: 'unconfirmed',
      createdAt: now,
      confirmedAt: null,
      decidedAt: null,
      decidedBy: null,
      reason: null,
      question: null,
      answer: null,
      granted: null,
      keyId: null,
      claimedAt: null,
    });
    if (inserted) await queueMail(deps, stores, { to: draft.email, template: 'confirm', subject: id });
    return inserted;
  });
  if (isNew) deps.nudge();
}
