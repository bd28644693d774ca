import { AppError } from '../../../core/errors/app-error.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';

/**
 * Notices that another signer writes a copy of this journal, as after its folder was copied to a second machine. Both leave their last line
 * in the database, so the one whose lines are fewer meets a later or another one than its own. It signs nothing any more until it is
 * started anew, and its start compares the journal with the database.
 */
export function createCopyWatch({
  journal,
  books,
  log,
}: {
  readonly journal: Pick<Journal, 'id' | 'head'>;
  readonly books: Pick<SigningBooks, 'heads'>;
  readonly log: Pick<Logger, 'error'>;
}): { readonly look: () => Promise<void>; readonly assertNone: () => void } {
  let isCopied = false;
  const assertNone = (): void => {
    if (isCopied) throw new AppError('JOURNAL_TAKEN', { cause: 'another signer writes a copy of it' });
  };
  return {
    assertNone,
    look: async () => {
      assertNone();
      const stored = (await books.heads()).find(({ journalId }) => journalId === journal.id);
      // After the answer: this process may have written meanwhile, and is never behind itself.
      const { seq, hash } = journal.head();
      if (stored === undefined || stored.seq < seq || (stored.seq === seq && stored.hash === hash)) return;
      isCopied = true;
      log.error(
        { journal: seq, database: stored.seq },
        'another signer writes a copy of this journal: nothing is signed here',
      );
      assertNone();
    },
  };
}
