import { CorruptRowError } from '../../intents/rules/json-reader.ts';
import {
  decodeRecord,
  encodeEntry,
  JOURNAL_VERSION,
  type JournalEntry,
  type JournalRecord,
  type OtherEntry,
} from './record.ts';

/** The functions that seal a line. Both give base64url without padding. */
export type LineSeal = {
  /** SHA-256 of the text. */
  readonly hash: (text: string) => string;
  /** HMAC-SHA-256 of the text under the journal's own key. */
  readonly mac: (text: string) => string;
};

export type WritableEntry = Exclude<JournalEntry, OtherEntry>;

/** `"}` and the text before the MAC's own 43 characters. */
const MAC_BEFORE = ',"mac":"';
const MAC_AFTER = '"}';
const MAC_CHARACTERS = 43;
const TAIL = MAC_BEFORE.length + MAC_CHARACTERS + MAC_AFTER.length;

/** A line without its line break, and the record that it reads as. The MAC covers every byte before it. */
export function writeLine(
  seal: LineSeal,
  given: {
    readonly seq: number;
    readonly epoch: number;
    readonly at: number;
    readonly prev: string;
    readonly entry: WritableEntry;
  },
): { readonly line: string; readonly record: JournalRecord } {
  const { entry, ...header } = given;
  const open = JSON.stringify({ v: JOURNAL_VERSION, ...header, ...encodeEntry(entry) }).slice(0, -1);
  const line = `${open}${MAC_BEFORE}${seal.mac(open)}${MAC_AFTER}`;
  return { line, record: { v: JOURNAL_VERSION, ...header, hash: seal.hash(line), entry } };
}

/**
 * The record of a line, proved by its MAC. Throws CorruptRowError for a line that was changed, and for one that is no line of
 * a journal.
 */
export function readLine(seal: LineSeal, line: string): JournalRecord {
  const open = line.slice(0, -TAIL);
  if (line !== `${open}${MAC_BEFORE}${seal.mac(open)}${MAC_AFTER}`)
    throw new CorruptRowError('journal.mac', 'its MAC');
  return readUnproved(line, seal.hash(line));
}

/** The record of a line whose MAC cannot be checked yet: the first one of a segment carries the key. */
export function readUnproved(line: string, hash: string): JournalRecord {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw new CorruptRowError('journal', 'a line of JSON');
  }
  return decodeRecord(parsed, hash);
}

/** Why `next` does not follow `last`; null when it does. */
export function breakBetween(
  last: Pick<JournalRecord, 'seq' | 'hash'> | null,
  next: Pick<JournalRecord, 'seq' | 'prev'>,
): string | null {
  if (last === null) return null;
  if (next.seq !== last.seq + 1) return `line ${next.seq} follows line ${last.seq}`;
  return next.prev === last.hash ? null : `line ${next.seq} names another line before it`;
}
