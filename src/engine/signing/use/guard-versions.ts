import type { Guard } from '../../../modules/guard/rules/guard.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { JournalBook } from '../rules/book.ts';
import { type GuardNote, isNewestGuard } from '../rules/guard-notes.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';

export type GuardVersionsDeps = {
  readonly book: Pick<JournalBook, 'guards'>;
  readonly books: Pick<SigningBooks, 'transactionState' | 'guardVersions'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'error'>;
  readonly write: (entry: WritableEntry) => Promise<void>;
};

/** The versions of guards by the journal. A guard's certificate says that the signer wrote it; this says that it wrote no later one. */
export type GuardVersions = {
  /** Writes down that the guard behind `version` gets a certificate in this transaction. Returns its version. */
  next(guard: Pick<Guard, 'userId' | 'version'>, transactionId: string): Promise<number>;
  /** Whether a guard with a right certificate, or one that was never touched, is the newest of its person. */
  isNewest(guard: Pick<Guard, 'userId' | 'version'>): Promise<boolean>;
  /** Sees which certified changes were committed. Throws the errors of the database and the journal. */
  beat(): Promise<void>;
};

export function createGuardVersions(deps: GuardVersionsDeps): GuardVersions {
  const { book, books, clock, write } = deps;
  const reported = new Set<string>();
  return {
    next: async ({ userId, version }, transactionId) => {
      const note = book.guards.find(userId);
      const next = Math.max(clock.now(), version + 1, (note?.version ?? 0) + 1, (note?.next ?? 0) + 1);
      await write({ kind: 'guard', userId, version, next, transactionId });
      return next;
    },
    isNewest: async ({ userId, version }) => {
      const note = book.guards.find(userId);
      const isNewest = await isNewestGuard(note, version, (id) => books.transactionState(id));
      // Of an operator's command, or from before this journal: from now on it is known.
      if (isNewest && version > Math.max(note?.version ?? 0, note?.next ?? 0))
        await write({ kind: 'guard', userId, version, next: 0, transactionId: '' });
      return isNewest || (await wasReadBefore(deps, note, version));
    },
    beat: async () => {
      const open = book.guards.open();
      if (open.length === 0) return;
      const versions = await books.guardVersions(open.map(({ userId }) => userId));
      for (const note of open) await settle(deps, note, versions.get(note.userId) ?? 0, reported);
    },
  };
}

/**
 * Whether a guard of the version before was read just before the next one was committed: that one is in its row now. It is written down,
 * so that this is true once.
 */
async function wasReadBefore(
  { books, write }: GuardVersionsDeps,
  note: GuardNote | null,
  version: number,
): Promise<boolean> {
  if (note === null || note.next === 0 || version !== note.version) return false;
  const { userId, next } = note;
  if ((await books.guardVersions([userId])).get(userId) !== next) return false;
  await write({ kind: 'guard', userId, version: next, next: 0, transactionId: '' });
  return true;
}

/** Writes down what became of a certified change, as soon as that can be known. `version`: of the committed row. */
async function settle(
  { book, books, log, write }: GuardVersionsDeps,
  note: GuardNote,
  version: number,
  reported: Set<string>,
): Promise<void> {
  const { userId, transactionId } = note;
  const state = version === note.next ? 'committed' : await books.transactionState(transactionId);
  // Another change was certified meanwhile.
  if (state === 'in progress' || book.guards.find(userId)?.next !== note.next) return;
  if (state === 'aborted')
    return write({ kind: 'guard', userId, version: note.version, next: 0, transactionId: '' });
  await write({ kind: 'guard', userId, version: note.next, next: 0, transactionId: '' });
  // It may have been committed since the row was read.
  const now = version === note.next ? version : (await books.guardVersions([userId])).get(userId);
  if (now === note.next || reported.has(userId)) return;
  reported.add(userId);
  log.error({ userId }, 'a guard was changed, and its row is older: somebody put it back, and nothing moves');
}
