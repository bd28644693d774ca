import { windowStart } from '../../../core/time/age.ts';
import { isClosed, type Order } from '../../../modules/orders/rules/order.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { JournalBook } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';

/** Rows of one look. */
const PAGE = 500;
/** A commit becomes visible this long after its rows were written, at most; in microseconds, as the column counts. */
const LATE_US = 120_000_000n;
/** An order whose end is longer ago signs nothing. */
const OVER_MS = 86_400_000;

/**
 * Sees orders end: each beat reads those that changed since the last one, and writes down which agreements are over and which newer
 * ones void them. A row that is put back later fires nothing then. The first beat reads all that are not long past. A row without a right
 * certificate says nothing. An end is seen within two beats; who writes the database before that can still hide it.
 */
export function createOrderStops(deps: {
  readonly books: Pick<SigningBooks, 'ordersSince'>;
  readonly book: Pick<JournalBook, 'orders' | 'fence'>;
  readonly certifier: Pick<Certifier, 'order'>;
  readonly clock: Clock;
  readonly write: (entry: WritableEntry) => Promise<void>;
}): { readonly beat: () => Promise<void> } {
  const { books, book, certifier, clock, write } = deps;
  let seen = 0n;
  return {
    beat: async () => {
      // A database that went back in time says nothing about what ended since.
      if (book.fence() !== null) return;
      const expiresAfter = windowStart(OVER_MS, clock);
      for (let from = seen - LATE_US; ; ) {
        const rows = await books.ordersSince({ seq: from, expiresAfter, limit: PAGE });
        for (const { order } of rows) {
          const entry = order.certificate === certifier.order(order) ? newsOf(book, order) : null;
          if (entry !== null) await write(entry);
        }
        const last = rows.at(-1)?.seq;
        if (last === undefined) return;
        from = last;
        if (last > seen) seen = last;
      }
    },
  };
}

/** Null where the journal knows it. */
function newsOf({ orders }: Pick<JournalBook, 'orders'>, order: Order): WritableEntry | null {
  const { id: orderId, afterwards, status, expiresAt: until } = order;
  const agreedAt = order.terms.agreedAt ?? 0;
  const note = orders.of(orderId);
  // A fire that ends without effect ends the order then.
  const stopped = isClosed(order) || status === 'PAUSED' || afterwards !== null;
  const isNews = agreedAt > note.agreedAt || (stopped && agreedAt > note.stoppedAt);
  return isNews ? { kind: 'order', orderId, agreedAt, stopped, until } : null;
}
