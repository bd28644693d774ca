import type { WritableEntry } from '../../engine/signing/rules/line.ts';
import type { JournalHead, JournalRecord } from '../../engine/signing/rules/record.ts';

/**
 * The signatures, on the signer's own disk: in no database, so that none that goes back in time takes it along. Append-only,
 * one writer at a time, each line bound to the one before it. Lines are in the order in which they were given.
 */
export interface Journal {
  readonly id: string;
  /**
   * Appends and flushes: when it resolves, the line outlives a loss of power. Throws JOURNAL_FULL when it cannot be written or
   * flushed, JOURNAL_TAKEN when another process writes the same journal; then nothing counts as written.
   */
  append(entry: WritableEntry): Promise<JournalRecord>;
  /** Appends with the next flush, at any later time. It may be lost: only for entries that can be found again. */
  note(entry: WritableEntry): void;
  /** The last flushed line. */
  head(): JournalHead;
  /**
   * The lines since `since` (epoch milliseconds), oldest first; a few older ones may come first. Throws JOURNAL_BROKEN for a
   * line that was changed or is missing.
   */
  records(since: number): AsyncIterable<JournalRecord>;
  /** The line of this number; null when there is none (any more). */
  hashAt(seq: number): Promise<string | null>;
  /** Writes the noted lines and releases the journal. */
  close(): Promise<void>;
}

/** The sealed keys of all wallets beside the database, in the journal's format. See `KeyEntry`. */
export type Keybook = Pick<Journal, 'append' | 'note' | 'records' | 'close'>;
