import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { assertMayAct, type GateDeps, passGate } from '../../guard/use/pass-gate.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { KeyRequestDraft } from '../rules/key-request.ts';

/** As long as the link of the first mail works. */
const CONFIRM_WITHIN_MS = 86_400_000;

/**
 * Notes a request and asks the address to confirm it. Reveals no earlier request: an address with an open one gets no second mail, and the
 * form's answer is the same. An unconfirmed request whose link has expired makes room for a new one. Only a request that sends a mail
 * counts for the rate of the address. Throws PAUSED and ACT_LIMIT, alike for each address.
 */
export async function requestKey(
  deps: GateDeps & {
    readonly db: Pick<Database, 'transact'>;
    readonly ids: Ids;
    readonly nudge: () => void;
  },
  draft: KeyRequestDraft,
): Promise<void> {
  const now = deps.clock.now();
  const asked = { act: 'api-key-ask', userId: null, account: draft.email } as const;
  const isNew = await deps.db.transact(async (stores) => {
    await assertMayAct(stores, deps, asked);
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
    if (!inserted) return false;
    await passGate(stores, deps, asked);
    await queueMail(deps, stores, { to: draft.email, template: 'confirm', subject: id });
    return true;
  });
  if (isNew) deps.nudge();
}
