import { createHash, createHmac } from 'node:crypto';
import { AppError } from '../../../src/core/errors/app-error.ts';
import {
  breakBetween,
  type LineSeal,
  readLine,
  type WritableEntry,
  writeLine,
} from '../../../src/engine/signing/rules/line.ts';
import type { JournalHead, JournalRecord } from '../../../src/engine/signing/rules/record.ts';
import type { Journal } from '../../../src/platform/ports/journal.ts';

const SEAL: LineSeal = {
  hash: (text) => createHash('sha256').update(text).digest('base64url'),
  mac: (text) => createHmac('sha256', 'fake').update(text).digest('base64url'),
};

/** The disk of a fake journal: its flushed lines, which outlive the process that wrote them. */
export type FakeDisk = { lines: string[]; id: string; owner: object | null };

export function fakeDisk(id = 'journal-1'): FakeDisk {
  return { lines: [], id, owner: null };
}

export type FakeJournal = Journal & {
  /** Flushes fail until it is set back. */
  full: boolean;
  /** Every record, the noted ones that are not flushed left out. */
  all(): readonly JournalRecord[];
};

/**
 * A journal in memory, over a disk that outlives it: `fakeJournal` on the same disk again is a restart. Lines are the real
 * ones, so that a test may cut or change them.
 */
export function fakeJournal(disk: FakeDisk = fakeDisk(), now: () => number = () => 0): FakeJournal {
  const self = {};
  disk.owner = self;
  const read = (): JournalRecord[] => {
    const records: JournalRecord[] = [];
    for (const line of disk.lines) {
      const record = readLine(SEAL, line);
      const gap = breakBetween(records.at(-1) ?? null, record);
      if (gap !== null)
        throw new AppError('JOURNAL_BROKEN', { file: 'memory', after: records.length, cause: gap });
      records.push(record);
    }
    return records;
  };
  let noted: WritableEntry[] = [];
  let last: Pick<JournalRecord, 'seq' | 'hash'> = read().at(-1) ?? { seq: 0, hash: '' };
  const write = (entries: readonly WritableEntry[]): JournalRecord | null => {
    if (disk.owner !== self) throw new AppError('JOURNAL_TAKEN', { cause: 'another fake writes this disk' });
    if (journal.full) throw new AppError('JOURNAL_FULL', { cause: 'ENOSPC' });
    let written: JournalRecord | null = null;
    for (const entry of entries) {
      const { line, record } = writeLine(SEAL, {
        seq: last.seq + 1,
        epoch: 0,
        at: now(),
        prev: last.hash,
        entry,
      });
      disk.lines.push(line);
      last = record;
      written = record;
    }
    return written;
  };
  const journal: FakeJournal = {
    id: disk.id,
    full: false,
    append: async (entry) => {
      const batch = [...noted, entry];
      const record = write(batch);
      noted = [];
      if (record === null) throw new RangeError('nothing was given');
      return record;
    },
    note: (entry) => void noted.push(entry),
    head: (): JournalHead => ({ journalId: disk.id, seq: last.seq, hash: last.hash }),
    records: async function* () {
      yield* read();
    },
    hashAt: async (seq) => read().find((record) => record.seq === seq)?.hash ?? null,
    close: async () => {
      write(noted);
      noted = [];
    },
    all: read,
  };
  return journal;
}
