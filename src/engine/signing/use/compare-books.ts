import { AppError } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import type { JournalBook, SignedNote } from '../rules/book.ts';
import { type FenceRules, judgeBooks, judgeOrphan } from '../rules/fence.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { ServerTruth, SigningBooks } from '../store/signing-books-port.ts';
import type { Fence } from './fence.ts';
import type { LookAtChain } from './look-at-chain.ts';

type CompareDeps = {
  readonly journal: Pick<Journal, 'note'>;
  readonly book: JournalBook;
  readonly books: Pick<SigningBooks, 'known'>;
  readonly clock: Clock;
  readonly rules: FenceRules;
  readonly fence: Fence;
  /** Called with a signature that needs no memory any more. */
  readonly onSettled: (signature: string) => void;
};

/**
 * Compares the journal with the database by one statement, puts up the fence where they differ, and notes the stored attempts. Returns the
 * open records whose attempt should be there by now. Throws DATABASE_FORGETFUL, and the errors of database and fence.
 */
export async function compareBooks(deps: CompareDeps): Promise<readonly SignedNote[]> {
  const { journal, book, books, clock, rules } = deps;
  const [open, newestStored] = [book.open(), book.newestStored()];
  const asked = [...open, ...newestStored];
  const intentIds = [...new Set(asked.map(({ intentId }) => intentId))];
  const { server, ...rows } = await books.known({ intentIds });
  assertLasting(server);
  if (book.fence() !== null) return [];
  const verdict = judgeBooks({ open, newestStored }, rows, clock.now(), rules);
  if (verdict.kind === 'fence') {
    const note = asked.find(({ signature }) => signature === verdict.signature);
    if (note !== undefined) await deps.fence.raise(verdict.reason, note);
    return [];
  }
  // Another comparison may have noted them meanwhile.
  const still = new Set(book.open().map(({ signature }) => signature));
  const signatures = verdict.stored.filter((signature) => still.has(signature));
  if (signatures.length > 0) {
    const entry = { kind: 'stored', signatures } as const;
    journal.note(entry);
    book.apply({ seq: 0, at: clock.now(), entry });
    signatures.forEach(deps.onSettled);
  }
  return open.filter(({ signature }) => verdict.orphans.includes(signature));
}

/** Asks the chain for the fate of signatures that the database should know. */
export async function judgeOrphans(
  deps: Pick<CompareDeps, 'fence' | 'onSettled'> & {
    readonly look: LookAtChain;
    readonly write: (entry: WritableEntry) => Promise<void>;
  },
  orphans: readonly SignedNote[],
): Promise<void> {
  for (const note of orphans) {
    const { word, looks } = await deps.look(note);
    const verdict = judgeOrphan(word);
    if (verdict === 'fence')
      return deps.fence.raise('a signature that the database does not know has landed', note);
    if (verdict === 'ended') {
      await deps.write({ kind: 'ended', signature: note.signature, how: 'dead', looks });
      deps.onSettled(note.signature);
    }
  }
}

/** There a row that was seen can vanish, and a fence would be put up for nothing. */
function assertLasting({ inRecovery, fsync, synchronousCommit }: ServerTruth): void {
  const cause = inRecovery
    ? 'it is a standby: DATABASE_URL must name the primary'
    : fsync
      ? synchronousCommit === 'off'
        ? 'synchronous_commit is off'
        : null
      : 'fsync is off';
  if (cause !== null) throw new AppError('DATABASE_FORGETFUL', { cause });
}
