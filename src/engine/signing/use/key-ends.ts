import { KEY_LIMITS } from '../../../modules/personal-keys/rules/personal-key.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { JournalBook } from '../rules/book.ts';
import type { SigningJournal } from './signing-journal.ts';

/** A commit becomes visible this long after its moment was taken, at most. */
const LATE_MS = 120_000;

export type KeyEndsDeps = {
  readonly db: Pick<Stores, 'personalKeys'>;
  readonly book: Pick<JournalBook, 'fence'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly endKey: SigningJournal['endKey'];
};

/**
 * Sees personal keys end in their rows: by a tap while the signer was away, by a lock, or in an earlier release. Each beat writes down those
 * that ended since the last one, and the first beat all that could still be open. A row that is put back later opens none of them. Who
 * writes the database before that beat can still hide an end. Throws the errors of the database and the journal.
 */
export function createKeyEnds({ db, book, clock, endKey }: KeyEndsDeps): {
  readonly beat: () => Promise<void>;
} {
  let seen: number | null = null;
  return {
    beat: async () => {
      // A database that went back in time says nothing about what ended since.
      if (book.fence() !== null) return;
      const now = clock.now();
      const since = (seen ?? now - KEY_LIMITS.longestMs) - LATE_MS;
      // The row's own end is not believed: no key lives longer than this.
      const until = now + KEY_LIMITS.longestMs;
      for (const keyId of await db.personalKeys.endedSince(since)) await endKey({ keyId, until });
      seen = now;
    },
  };
}
