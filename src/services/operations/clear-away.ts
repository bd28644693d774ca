import type { Clock } from '../../core/ports/clock.ts';
import type { DialogStore } from '../../core/ports/dialog-store.ts';
import type { MetadataStore } from '../../core/ports/metadata-store.ts';
import type { Database } from '../../core/ports/stores.ts';

/** Used and expired buttons are kept this long, so that a late tap is told "used" and not "unknown". */
const BUTTON_KEEP_MS = 24 * 3_600_000;
/** Dispatched outbox rows serve nothing but a look back in time. */
const OUTBOX_KEEP_MS = 3_600_000;
/** As long as a dialogue lives in which a picture waits for its token. */
const PICTURE_KEEP_MS = 24 * 3_600_000;

export type ClearAwayDeps = {
  readonly db: Pick<Database, 'buttons' | 'outbox'>;
  readonly dialogs: Pick<DialogStore, 'sweep'>;
  readonly metadata: Pick<MetadataStore, 'deleteUnused'>;
  readonly clock: Clock;
};

/** Removes what has served: old buttons, dispatched outbox rows, expired dialogues, and pictures that no token named within a day. */
export async function clearAway({ db, dialogs, metadata, clock }: ClearAwayDeps): Promise<void> {
  const now = clock.now();
  await db.buttons.deleteExpired(now - BUTTON_KEEP_MS);
  await db.outbox.deleteDispatched(now - OUTBOX_KEEP_MS);
  await dialogs.sweep();
  await metadata.deleteUnused(now - PICTURE_KEEP_MS);
}
