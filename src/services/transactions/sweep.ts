import type { Clock } from '../../core/ports/clock.ts';
import type { DialogStore } from '../../core/ports/dialog-store.ts';
import type { JobQueue } from '../../core/ports/job-queue.ts';
import type { MetadataStore } from '../../core/ports/metadata-store.ts';
import type { Database } from '../../core/ports/stores.ts';
import { intentJobKey, noticeJobKey } from './add-notices.ts';
import type { Relay } from './relay-outbox.ts';

const LIMIT = 500;
/** Younger notices are still on their ordinary way. */
const NOTICE_AGE_MS = 5_000;
/** Used and expired buttons are kept this long, so that a late tap is told "used" and not "unknown". */
const BUTTON_KEEP_MS = 24 * 3_600_000;
/** Dispatched outbox rows serve nothing but a look back in time. */
const OUTBOX_KEEP_MS = 3_600_000;
/** As long as a dialogue lives in which a picture waits for its token. */
const PICTURE_KEEP_MS = 24 * 3_600_000;

export type SweepDeps = {
  readonly db: Pick<Database, 'intents' | 'notices' | 'buttons' | 'outbox'>;
  readonly dialogs: Pick<DialogStore, 'sweep'>;
  readonly metadata: Pick<MetadataStore, 'deleteUnused'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly relay: Pick<Relay, 'run'>;
};

/**
 * Puts back into the queue what it forgot: due intents that nobody holds, notices that were not delivered, outbox rows that
 * were not dispatched. Losing every job therefore costs seconds and nothing else. Removes what has served: old buttons,
 * dispatched outbox rows, expired dialogues, and pictures that no token's document named within a day.
 */
export async function sweep({ db, dialogs, metadata, queue, clock, relay }: SweepDeps): Promise<void> {
  const now = clock.now();
  await relay.run();
  const [intents, notices] = await Promise.all([
    db.intents.due(now, LIMIT),
    db.notices.undelivered(now - NOTICE_AGE_MS, LIMIT),
  ]);
  for (const intentId of intents)
    await queue.add('intent.step', { intentId }, { key: intentJobKey(intentId) });
  for (const noticeId of notices)
    await queue.add('notice.send', { noticeId }, { key: noticeJobKey(noticeId) });
  await db.buttons.deleteExpired(now - BUTTON_KEEP_MS);
  await db.outbox.deleteDispatched(now - OUTBOX_KEEP_MS);
  await dialogs.sweep();
  await metadata.deleteUnused(now - PICTURE_KEEP_MS);
}
