import { AppError } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import { createJournalBook, type JournalBook, REMEMBERED_MS } from '../rules/book.ts';
import type { JournalRecord } from '../rules/record.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';

/**
 * Reads a journal into a book, and compares it with the database's memory of it. Throws JOURNAL_BEHIND when the database has seen later
 * lines, and JOURNAL_BROKEN when it has seen another line of the same number. Throws JOURNAL_MISSING when it knows journals and not this
 * one. With `adopts` it throws none of them. `each` sees every line too.
 */
export async function readJournal(
  deps: {
    readonly journal: Journal;
    readonly books: Pick<SigningBooks, 'heads' | 'saveHead'>;
    readonly clock: Clock;
    readonly adopts: boolean;
  },
  each: (record: JournalRecord) => void = () => undefined,
): Promise<JournalBook> {
  const { journal, books, clock } = deps;
  if (!deps.adopts) await assertNewest(journal, await books.heads());
  const book = createJournalBook();
  for await (const record of journal.records(clock.now() - REMEMBERED_MS)) {
    book.apply(record);
    each(record);
  }
  book.forget(clock.now() - REMEMBERED_MS);
  await books.saveHead(journal.head());
  return book;
}

async function assertNewest(
  journal: Journal,
  heads: Awaited<ReturnType<SigningBooks['heads']>>,
): Promise<void> {
  const own = heads.find(({ journalId }) => journalId === journal.id);
  if (own === undefined) {
    if (heads.length > 0) throw new AppError('JOURNAL_MISSING', { folder: journal.id });
    return;
  }
  const { seq } = journal.head();
  if (own.seq > seq) throw new AppError('JOURNAL_BEHIND', { journal: seq, database: own.seq });
  // A line that was dropped after its 400 days is not compared.
  const hash = await journal.hashAt(own.seq);
  if (hash !== null && hash !== own.hash)
    throw new AppError('JOURNAL_BROKEN', {
      file: journal.id,
      after: own.seq - 1,
      cause: 'the database has seen another line of this number',
    });
}
