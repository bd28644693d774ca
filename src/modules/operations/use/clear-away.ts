import type { Clock } from '../../../platform/ports/clock.ts';
import type { DialogStore } from '../../../platform/ports/dialog-store.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { RetentionStore } from '../store/retention-store-port.ts';

const DAY_MS = 86_400_000;
/** Used and expired buttons are kept this long, so that a late tap gets "used" as the answer and not "unknown". */
const BUTTON_KEEP_MS = DAY_MS;
/** Dispatched outbox rows serve nothing but a look back in time. */
const OUTBOX_KEEP_MS = 3_600_000;
/** As long as a dialogue lives in which a picture waits for its token. */
const PICTURE_KEEP_MS = DAY_MS;
const UNCONFIRMED_KEEP_MS = 7 * DAY_MS;
const REFUSED_KEEP_MS = 90 * DAY_MS;
const MAIL_KEEP_MS = 90 * DAY_MS;
/** A used link says for this long when it was used, and lets its holder revoke the key. */
const LINK_KEEP_MS = 90 * DAY_MS;
/** Batches of one kind in one round. */
const BATCHES = 10;

export type ClearAwayDeps = {
  readonly db: Pick<Database, 'buttons' | 'outbox' | 'keyRequests' | 'mails' | 'links'>;
  readonly dialogs: Pick<DialogStore, 'sweep'>;
  readonly metadata: Pick<MetadataStore, 'deleteUnused'>;
  readonly retention: RetentionStore;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug'>;
};

/**
 * Removes rows that are needed no more: old buttons, dispatched outbox rows, expired dialogues, pictures that no token named within a day.
 * Unconfirmed requests for keys, old mails and links, and the rows of the retention store go too. The rest of one round goes with the next.
 * The log says at debug which rows the retention store removed.
 */
export async function clearAway(deps: ClearAwayDeps): Promise<void> {
  const { db, dialogs, metadata, retention, clock, log } = deps;
  const now = clock.now();
  await inBatches(() => db.buttons.deleteExpired(now - BUTTON_KEEP_MS));
  await inBatches(() => db.outbox.deleteDispatched(now - OUTBOX_KEEP_MS));
  await dialogs.sweep();
  await inBatches(() => metadata.deleteUnused(now - PICTURE_KEEP_MS));
  await db.keyRequests.deleteOld({ unconfirmed: now - UNCONFIRMED_KEEP_MS, refused: now - REFUSED_KEEP_MS });
  await db.mails.deleteOld(now - MAIL_KEEP_MS);
  await db.links.deleteExpired(now - LINK_KEEP_MS);
  const removed = await retention.clean(now);
  if (removed.size > 0) log.debug(Object.fromEntries(removed), 'old rows were removed');
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) if ((await remove()) === 0) return;
}
