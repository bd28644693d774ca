import { periodFacts } from '../../../modules/convert/rules.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { JournalBook } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';

/** Periods of one look: older ones were seen by earlier ones. */
const SEEN = 100;

/**
 * Sees periods of conversion taken back: each beat writes down which certificates pay nothing any more. A row that is put back later
 * pays nothing then. A row without a right certificate says nothing, so that a writer of the database cancels none.
 */
export function createPeriodEnds({
  db,
  book,
  certifier,
  write,
}: {
  readonly db: { readonly convert: Pick<Stores['convert'], 'list'> };
  readonly book: Pick<JournalBook, 'conversions' | 'fence'>;
  readonly certifier: Pick<Certifier, 'period'>;
  readonly write: (entry: WritableEntry) => Promise<void>;
}): { readonly beat: () => Promise<void> } {
  return {
    beat: async () => {
      // A database that went back in time says nothing about what ended since.
      if (book.fence() !== null) return;
      for (const row of await db.convert.list(SEEN)) {
        const facts = periodFacts(row);
        if (facts === null || !facts.isCancelled || row.seal?.certificate !== certifier.period(facts))
          continue;
        const { opensAt, at: until } = facts;
        if (until > book.conversions.cancelledUntil(opensAt))
          await write({ kind: 'period-cancelled', opensAt, until });
      }
    },
  };
}
