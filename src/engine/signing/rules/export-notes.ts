import { hasAged } from '../../../core/time/age.ts';
import { isStill, type Reading } from '../../../core/time/due.ts';
import type { ExportStopper, KeyExport } from '../../../modules/guard/rules/key-export.ts';
import type { WritableEntry } from './line.ts';
import type { ExportAskedEntry, JournalEntry } from './record.ts';

/** A key file that was asked for, as the journal knows it. `end`: null while neither taken nor stopped. */
export type ExportNote = Omit<ExportAskedEntry, 'kind'> & {
  readonly end: null | { readonly at: number; readonly by: ExportStopper | 'taken' };
};

/** Key files by the journal's lines. Lines are taken in their order, and the first end of a file counts. */
export type ExportNotes = {
  apply(entry: JournalEntry, at: number): void;
  /** Null for one that was never asked for here, or so long ago that it is over. */
  find(exportId: string): ExportNote | null;
  /** Those of a person. */
  of(userId: string): readonly ExportNote[];
  all(): readonly ExportNote[];
  /** Those that may still be taken or stopped. */
  open(now: Reading): readonly ExportNote[];
  /** The lines of files whose oldest one is from before `before`, to be written again, so that the journal's start may be forgotten. */
  due(before: number, now: number): readonly WritableEntry[];
  /** Forgets those that ended more than eight days ago: they count for no bar any more. */
  forget(now: number): void;
};

const KEPT_MS = 8 * 86_400_000;

export function createExportNotes(): ExportNotes {
  const notes = new Map<string, ExportNote & { /** Of its oldest line. */ readonly at: number }>();
  const end = (exportId: string, found: NonNullable<ExportNote['end']>): void => {
    const note = notes.get(exportId);
    if (note !== undefined && note.end === null) notes.set(exportId, { ...note, end: found });
  };
  return {
    apply: (entry, at) => {
      if (entry.kind === 'export-asked' && !notes.has(entry.exportId)) {
        const { kind: _kind, ...asked } = entry;
        notes.set(asked.exportId, { ...asked, end: null, at });
      }
      if (entry.kind === 'export-taken') end(entry.exportId, { at: entry.overAt, by: 'taken' });
      if (entry.kind === 'export-stopped') end(entry.exportId, { at: entry.overAt, by: entry.by });
    },
    find: (exportId) => notes.get(exportId) ?? null,
    of: (userId) => [...notes.values()].filter((note) => note.userId === userId),
    all: () => [...notes.values()],
    open: (now) => [...notes.values()].filter((note) => isOpenNote(note, now)),
    due: (before, now) => {
      const due = [...notes.values()].filter(({ at }) => at < before);
      for (const note of due) notes.set(note.exportId, { ...note, at: now });
      return due.flatMap(linesOf);
    },
    forget: (now) => {
      for (const [id, { endsAt }] of notes) if (hasAged(endsAt, KEPT_MS, now)) notes.delete(id);
    },
  };
}

/** Whether the file may still be taken or stopped, as far as the journal tells. */
export function isOpenNote({ end, endsAt }: ExportNote, now: Reading): boolean {
  return end === null && isStill(endsAt, now);
}

/** Whether a row says of its asking what the journal says. */
export function isOfNote(row: KeyExport, note: ExportNote): boolean {
  return (
    row.userId === note.userId &&
    row.walletId === note.walletId &&
    row.askedAt === note.askedAt &&
    row.readyAt === note.readyAt &&
    row.endsAt === note.endsAt
  );
}

function linesOf({ end, ...note }: ExportNote & { readonly at: number }): readonly WritableEntry[] {
  const { exportId, userId, walletId, askedAt, readyAt, endsAt } = note;
  const asked = { kind: 'export-asked', exportId, userId, walletId, askedAt, readyAt, endsAt } as const;
  if (end === null) return [asked];
  const over = { exportId, overAt: end.at };
  return [
    asked,
    end.by === 'taken' ? { kind: 'export-taken', ...over } : { kind: 'export-stopped', ...over, by: end.by },
  ];
}
