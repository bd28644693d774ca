import { createJournalBook } from '../../../engine/signing/rules/book.ts';
import { type ExportNote, isOfNote, isOpenNote } from '../../../engine/signing/rules/export-notes.ts';
import type { JournalRecord } from '../../../engine/signing/rules/record.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { KeyExport } from '../../guard/rules/key-export.ts';

export type ExportAudit = { readonly files: number; readonly mismatches: readonly Mismatch[] };

/** A file that was asked for a moment ago may not be committed yet, and an open row not yet looked at by the signer. */
const ON_ITS_WAY_MS = 60_000;
const MOST_ROWS = 10_000;

/**
 * Compares the rows of key files with the signer's journal: `forged-export` is a row that the journal does not know to be open, one of
 * another wallet, person or moment, and one that is gone. The signer lets no such file leave; the audit says so before anybody asks.
 */
export async function auditExports(
  {
    exports,
    clock,
  }: { readonly exports: Pick<Stores['exports'], 'find' | 'listOpen'>; readonly clock: Clock },
  journal: {
    readonly since: number;
    readonly records: (since: number) => AsyncIterable<JournalRecord>;
  },
): Promise<ExportAudit> {
  const now = clock.now();
  // Rows first: a line is written before its row, so each that is read here has its line by then.
  const open = await exports.listOpen(now, MOST_ROWS);
  const book = createJournalBook();
  for await (const record of journal.records(journal.since)) book.apply(record);
  const mismatches: Mismatch[] = [];
  const say = (exportId: string, detail: string): void =>
    void mismatches.push({ rule: 'forged-export', subject: exportId, detail });
  for (const row of open) {
    const note = book.exports.find(row.id);
    if (note === null) say(row.id, 'the row is open, and the signer was never asked for this key file');
    else if (!isOpenNote(note, clock))
      say(row.id, 'the row is open, and by the journal the file was taken, stopped or not taken in time');
  }
  const notes = book.exports.all();
  for (const note of notes) {
    const misfit = misfitOf(note, await exports.find(note.exportId));
    if (misfit !== null && note.askedAt < now - ON_ITS_WAY_MS) say(note.exportId, misfit);
  }
  return { files: notes.length, mismatches };
}

function misfitOf(note: ExportNote, row: KeyExport | null): string | null {
  // The signer saw it and ended the file: said in its log, and to the person.
  if (note.end?.by === 'signer') return null;
  if (row === null) return 'the signer was asked for this key file, and its row is gone';
  if (!isOfNote(row, note)) return 'the row names another person, wallet or moment than the journal';
  if (row.end?.kind === 'TAKEN' && note.end?.by !== 'taken')
    return 'the row says that the file left, and the journal does not';
  return null;
}
