import { AppError } from '../../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../../modules/guard/rules/freeze.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { IntentParams } from '../../intents/kinds/params.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { encodeIntentNotice } from '../../intents/rules/notice-payload.ts';
import { addNotices } from './add-notices.ts';
import { startJobs, withJobs } from './committed-jobs.ts';
import { newIntent, stepJob } from './new-intent.ts';
import type { Relay } from './relay-outbox.ts';

export type CreateIntentDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly relay: Pick<Relay, 'nudge' | 'here'>;
  readonly vault: Pick<Vault, 'confirm'>;
};

export type CreateIntentInput = {
  readonly userId: string;
  readonly walletId: string;
  /** Minted before the confirm button was shown: every repeat of one confirmation carries the same. */
  readonly idemKey: string;
  readonly params: IntentParams;
  /**
   * Judges the request inside the transaction, before the row is written; an error rolls everything back. Returns the moment before which
   * nothing may be built, null = at once.
   */
  readonly judge?: (stores: Stores, intentId: string) => Promise<{ readonly notBefore: number | null }>;
  /** Written in the same commit, after the row: rows that name the intent. */
  readonly beside?: (stores: Stores, intentId: string) => Promise<void>;
  /** The intent's id and the signer's code over it, where it was confirmed with the PIN before; else it is confirmed here. */
  readonly confirmed?: { readonly id: string; readonly confirmation: string };
  /** The one-use confirm button, used up in the same commit. */
  readonly buttonId?: string;
  /** The chat message that will show the progress. It is no longer the person's screen: the next one is a new message. */
  readonly progress?: { readonly chatId: bigint; readonly messageId: number };
};

/**
 * T1: the intent, its job's outbox row, the used button and the progress message in ONE commit. A repeat with the same `idemKey` (double
 * tap, redelivered update, lost acknowledgement) comes back with the first one's intent and `created: false`. Throws BUTTON_STALE,
 * WALLET_NOT_FOUND, ACCOUNT_FROZEN and the errors of `judge`; INTENT_NOT_FOUND when the key belongs to another person.
 */
export async function createIntent(
  deps: CreateIntentDeps,
  input: CreateIntentInput,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const { clock } = deps;
  const { userId, walletId, idemKey, params } = input;
  // Before the transaction: no one waits for the signer under a lock.
  const { id, confirmation } =
    input.confirmed ?? (await confirmed(deps, { userId, walletId, idemKey, params }));
  const result = await deps.db.transact(async (plain) => {
    const { stores, wanted: jobs } = withJobs(deps.relay, plain);
    const known = await stores.intents.findByKey(input.idemKey);
    if (known !== null) return { intent: ofSameUser(known, input.userId), created: false, jobs };
    if (input.buttonId !== undefined) {
      const button = await stores.buttons.consume(input.buttonId, input.userId, clock.now());
      if (button === null) throw new AppError('BUTTON_STALE', {});
    }
    if (input.progress !== undefined) await stores.users.update(userId, { screenMessageId: null });
    const wallet = await stores.wallets.find(input.walletId);
    if (wallet === null || wallet.userId !== input.userId || wallet.deletedAt !== null) {
      throw new AppError('WALLET_NOT_FOUND', {});
    }
    assertNotFrozen(await stores.guards.find(userId), clock);
    const judged = await input.judge?.(stores, id);
    const inserted = await stores.intents.insert(
      newIntent(deps, {
        id,
        userId,
        walletId,
        idemKey,
        params,
        confirmation,
        notBefore: judged?.notBefore ?? null,
      }),
    );
    // Another insert won between the look-up and here.
    if (!inserted.created) return { intent: ofSameUser(inserted.intent, userId), created: false, jobs };
    await input.beside?.(stores, inserted.intent.id);
    await stores.outbox.add([stepJob(deps, inserted.intent)]);
    if (input.progress !== undefined) {
      await stores.notices.setProgressMessage({ intentId: inserted.intent.id, ...input.progress });
    }
    if (inserted.intent.notBefore !== null) await tellOfWaiting(deps, stores, userId, inserted.intent);
    return { ...inserted, jobs };
  });
  const { intent, created } = result;
  if (created) startJobs(deps.relay, result.jobs);
  return { intent, created };
}

/** Notified at once: a thief at the stolen account is then not the only reader. */
async function tellOfWaiting(
  deps: Pick<CreateIntentDeps, 'clock' | 'ids'>,
  stores: Stores,
  userId: string,
  { id, status }: Intent,
): Promise<void> {
  const payload = encodeIntentNotice({
    status,
    signature: null,
    attempt: 0,
    lastValidBlockHeight: null,
    sentAt: null,
    terms: null,
    outcome: null,
  });
  await addNotices(deps, stores, [{ userId, intentId: id, kind: 'waiting', payload }]);
}

async function confirmed(
  { ids, vault }: Pick<CreateIntentDeps, 'ids' | 'vault'>,
  request: Pick<CreateIntentInput, 'userId' | 'walletId' | 'idemKey' | 'params'>,
): Promise<{ readonly id: string; readonly confirmation: string }> {
  const id = ids.ulid();
  return { id, confirmation: await vault.confirm({ id, ...request }, null) };
}

function ofSameUser(intent: Intent, userId: string): Intent {
  if (intent.userId !== userId) throw new AppError('INTENT_NOT_FOUND', {});
  return intent;
}
