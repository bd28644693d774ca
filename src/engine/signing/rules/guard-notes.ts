import type { WritableEntry } from './line.ts';
import type { GuardEntry, JournalEntry } from './record.ts';

/** The newest guard of a person, as the journal knows it. */
export type GuardNote = Omit<GuardEntry, 'kind'>;

/** What the journal says of guards. Lines are taken in their order. */
export type GuardNotes = {
  apply(entry: JournalEntry, at: number): void;
  /** Null for a person whose guard was never certified here. */
  find(userId: string): GuardNote | null;
  all(): readonly GuardNote[];
  /** Those of which it is not known whether the next version was committed. */
  open(): readonly GuardNote[];
  /** At most `most` lines of notes from before `before`, to be written again, so that the journal's start may be forgotten. */
  due(before: number, most: number): readonly WritableEntry[];
};

export function createGuardNotes(): GuardNotes {
  const notes = new Map<string, GuardNote & { readonly at: number }>();
  const open = new Map<string, GuardNote>();
  return {
    apply: (entry, at) => {
      if (entry.kind !== 'guard') return;
      const { kind: _kind, ...note } = entry;
      notes.delete(note.userId);
      notes.set(note.userId, { ...note, at });
      if (note.next === 0) open.delete(note.userId);
      else open.set(note.userId, note);
    },
    find: (userId) => notes.get(userId) ?? null,
    all: () => [...notes.values()],
    open: () => [...open.values()],
    due: (before, most) => {
      const due: WritableEntry[] = [];
      // In the order of their newest lines.
      for (const { at, ...note } of notes.values()) {
        if (at >= before || due.length === most) break;
        due.push({ kind: 'guard', ...note });
      }
      return due;
    },
  };
}

/** What became of a transaction, as Postgres says it; null = it does not know one of this name. */
export type TransactionState = 'committed' | 'aborted' | 'in progress' | null;

/**
 * Whether a certified guard of this version is the newest. `state` is asked where the next version was certified and the row is the one
 * before: where that transaction was committed, its row was put back.
 */
export async function isNewestGuard(
  note: GuardNote | null,
  version: number,
  state: (transactionId: string) => Promise<TransactionState>,
): Promise<boolean> {
  if (note === null || version > Math.max(note.version, note.next)) return true;
  if (note.next === 0) return version === note.version;
  if (version === note.next) return true;
  if (version !== note.version) return false;
  const word = await state(note.transactionId);
  return word === 'aborted' || word === 'in progress';
}
