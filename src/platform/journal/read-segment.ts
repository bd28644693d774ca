import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../core/errors/app-error.ts';
import { CorruptRowError } from '../../engine/intents/rules/json-reader.ts';
import { breakBetween, type LineSeal, readLine } from '../../engine/signing/rules/line.ts';
import type { JournalRecord } from '../../engine/signing/rules/record.ts';

const inflate = promisify(gunzip);
const LINE_BREAK = 10;

/** The bytes of a segment, packed or not. Throws JOURNAL_BROKEN for a packed one that is damaged. */
export async function segmentBytes(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  if (!path.endsWith('.gz')) return bytes;
  try {
    return await inflate(bytes);
  } catch (error) {
    const cause = 'it cannot be unpacked';
    throw new AppError('JOURNAL_BROKEN', { file: path, after: 0, cause }, { cause: error });
  }
}

/** The first line, without its break; null when there is no whole one. */
export function firstLine(bytes: Buffer): string | null {
  const end = bytes.indexOf(LINE_BREAK);
  return end < 0 ? null : bytes.toString('utf8', 0, end);
}

export type ReadSegment = {
  readonly records: readonly JournalRecord[];
  /** The end of the whole lines. The bytes after it were being written when the power went: they were never flushed. */
  readonly wholeBytes: number;
};

/**
 * The lines of a segment, each proved by its MAC and bound to the one before it; `last` is the line that the first one follows,
 * null where that is not known. Bytes behind the last whole line count as a torn end in the newest segment alone. Throws
 * JOURNAL_BROKEN for everything else that is not as it was written.
 */
export function readSegment(
  bytes: Buffer,
  given: {
    readonly path: string;
    readonly seal: LineSeal;
    readonly last: Pick<JournalRecord, 'seq' | 'hash'> | null;
    readonly mayBeTorn: boolean;
  },
): ReadSegment {
  const records: JournalRecord[] = [];
  let { last } = given;
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(LINE_BREAK, at);
    const torn = end < 0 || isHole(bytes, at, end);
    if (torn && given.mayBeTorn) break;
    const line = bytes.toString('utf8', at, end < 0 ? bytes.length : end);
    const record = torn ? null : proved(given.seal, line);
    const gap = record === null ? 'a line was changed or cut' : breakBetween(last, record);
    if (record === null || gap !== null) {
      throw new AppError('JOURNAL_BROKEN', { file: given.path, after: last?.seq ?? 0, cause: gap ?? 'cut' });
    }
    records.push(record);
    last = record;
    at = end + 1;
  }
  return { records, wholeBytes: at };
}

/** Blocks that the disk never got read as zeros, and no line holds one. */
function isHole(bytes: Buffer, from: number, to: number): boolean {
  const zero = bytes.indexOf(0, from);
  return zero >= 0 && zero < to;
}

function proved(seal: LineSeal, line: string): JournalRecord | null {
  try {
    return readLine(seal, line);
  } catch (error) {
    if (error instanceof CorruptRowError) return null;
    throw error;
  }
}
