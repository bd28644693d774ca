import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { decodeEntry, encodeEntry, type JournalEntry } from './journal-entry.ts';

/** An append-only file of entries. An entry survives the death of the process once `append` has returned. */
export interface Journal {
  /** Bytes written so far. */
  size(): number;
  append(entry: JournalEntry): void;
  close(): void;
}

export type JournalContent = {
  /** In order, decoded as they are asked for, with the byte offset at which each ends. Throws on a line that is no entry. */
  readonly entries: () => Generator<{ readonly entry: JournalEntry; readonly end: number }>;
  readonly lines: number;
  /** Bytes of whole lines; bytes after them are a write that death cut short, and no caller heard that it was done. */
  readonly wholeBytes: number;
};

/** Reads a journal; a torn last line is ignored. */
export function readJournal(path: string): JournalContent {
  const bytes = readFileSync(path);
  let lines = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, end + 1)) lines += 1;
  return {
    lines,
    wholeBytes: bytes.lastIndexOf(10) + 1,
    *entries() {
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        yield { entry: decodeEntry(bytes.toString('utf8', start, end)), end: end + 1 };
        start = end + 1;
      }
    },
  };
}

/** Opens a journal for appending after its first `wholeBytes`, cutting off all bytes behind them. */
export function openJournal(path: string, wholeBytes: number): Journal {
  const file = openSync(path, 'a', 0o600);
  ftruncateSync(file, wholeBytes);
  let size = wholeBytes;
  let broken = false;
  return {
    size: () => size,
    append: (entry) => {
      // After a half-written line every later one would be unreadable: stop acknowledging instead.
      if (broken) throw new Error('The journal of the local chain could not be written; restart it.');
      const line = Buffer.from(`${encodeEntry(entry)}\n`);
      broken = true;
      for (let at = 0; at < line.length; ) at += writeSync(file, line, at);
      broken = false;
      size += line.length;
    },
    close: () => closeSync(file),
  };
}
