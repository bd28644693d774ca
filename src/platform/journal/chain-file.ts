import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { AppError } from '../../core/errors/app-error.ts';
import { CorruptRowError } from '../../engine/intents/rules/json-reader.ts';
import { type LineSeal, readUnproved, writeLine } from '../../engine/signing/rules/line.ts';
import type { JournalRecord, OpenEntry } from '../../engine/signing/rules/record.ts';
import type { Journal } from '../ports/journal.ts';
import { hashLine, lineSeal } from './line-seal.ts';
import { createLineWriter } from './line-writer.ts';
import { flushFolder, type LogFile, type OpenLogFile, openLogFile } from './log-file.ts';
import { firstLine, readSegment, segmentBytes } from './read-segment.ts';
import { type Book, dropSegments, packSegment, type Segment, segmentPath, segmentsIn } from './segments.ts';

const SEGMENT_BYTES = 64 * 1_024 * 1_024;
const DAY_MS = 86_400_000;

/** The wrapper of a journal's MAC key: the key-encryption key in force, and those that open older boxes. */
export type KeyBox = {
  readonly kekId: string;
  wrap(key: Uint8Array, bound: Uint8Array): Promise<Uint8Array>;
  /** Throws SECRET_UNREADABLE, KEK_UNAVAILABLE. */
  unwrap(kekId: string, box: Uint8Array, bound: Uint8Array): Promise<Uint8Array>;
};

export type ChainFileOptions = {
  readonly folder: string;
  readonly book: Book;
  readonly box: KeyBox;
  readonly installId: string;
  readonly database: OpenEntry['database'];
  readonly now: () => number;
  /** Whether an empty folder gets a new one. */
  readonly mayBegin: boolean;
  /** Segments that ended longer ago are dropped, and those that are over are packed; null = kept as they are, for good. */
  readonly keptMs: number | null;
  readonly openFile?: OpenLogFile | undefined;
  readonly segmentBytes?: number | undefined;
  /** Called for lines that were cut away because they were never flushed, and for segments that could not be packed. */
  readonly onTrouble?: ((what: string) => void) | undefined;
};

type Last = Pick<JournalRecord, 'seq' | 'hash'>;

type Opened = {
  readonly key: Buffer;
  readonly seal: LineSeal;
  readonly open: OpenEntry;
  readonly file: LogFile;
  readonly last: Last;
  readonly begunAt: number;
  /** Whether the newest lines are in a file that cannot be added to. */
  readonly mustTurn: boolean;
};

/**
 * Opens the segments of one book in a folder that this process has locked. The newest is read and proved whole; a torn end is put beside it
 * and cut away. One MAC key serves a book for good: the first line of each segment carries it, wrapped by the key-encryption key in force
 * then, and a new key-encryption key begins a segment. Throws JOURNAL_MISSING for an empty folder unless one may begin, JOURNAL_BROKEN,
 * JOURNAL_FULL, and the errors of the box.
 */
export async function openChainFile(options: ChainFileOptions): Promise<Journal> {
  const { folder, book, box, now } = options;
  const openFile = options.openFile ?? openLogFile;
  const { key, seal, ...opened } = (await openNewest(options, openFile)) ?? (await begin(options, openFile));
  let { mustTurn, begunAt } = opened;
  const entry: OpenEntry = { ...opened.open, database: options.database };
  const current =
    entry.kekId === box.kekId
      ? entry
      : { ...entry, ...(await wrapped(box, key, { ...entry, kekId: box.kekId })) };
  mustTurn ||= current !== entry;
  const isOver = (size: number, at: number): boolean =>
    mustTurn ||
    size >= (options.segmentBytes ?? SEGMENT_BYTES) ||
    (options.keptMs !== null && Math.floor(at / DAY_MS) !== Math.floor(begunAt / DAY_MS));
  const writer = createLineWriter({
    ...opened,
    seal,
    now,
    beforeFlush: async () => {
      const at = now();
      if (!isOver(writer.size(), at)) return;
      const over = (await segmentsIn(folder, book)).at(-1);
      const next = await beginSegment(options, openFile, { seal, last: writer.last(), at, entry: current });
      writer.moveTo(next.file, next.last);
      [begunAt, mustTurn] = [at, false];
      if (over !== undefined) void tidy(options, over);
    },
  });
  await writer.append(current);
  return {
    id: entry.journalId,
    append: writer.append,
    note: writer.note,
    head: () => {
      const { seq, hash } = writer.last();
      return { journalId: entry.journalId, seq, hash };
    },
    records: (since) => recordsSince({ folder, book }, seal, since),
    hashAt: (seq) => hashAt({ folder, book }, seal, seq),
    close: writer.close,
  };
}

/**
 * A book as it lies in its folder, also while a signer writes it: nothing is locked, cut or changed. Throws JOURNAL_MISSING,
 * JOURNAL_BROKEN, and the errors of the box.
 */
export async function readChainFile(
  options: Pick<ChainFileOptions, 'folder' | 'book' | 'box' | 'installId'>,
): Promise<{
  readonly journalId: string;
  readonly segments: readonly Segment[];
  readonly records: (since: number) => AsyncIterable<JournalRecord>;
}> {
  const { folder, book } = options;
  const segments = existsSync(folder) ? await segmentsIn(folder, book) : [];
  const newest = segments.at(-1);
  if (newest === undefined) throw new AppError('JOURNAL_MISSING', { folder });
  const line = firstLine(await segmentBytes(newest.path));
  if (line === null)
    throw new AppError('JOURNAL_BROKEN', { file: newest.path, after: 0, cause: 'it has no line' });
  const { open, seal } = await sealOf(options, line, newest.path);
  return {
    journalId: open.journalId,
    segments,
    records: (since) => recordsSince({ folder, book }, seal, since),
  };
}

/** Packs the segment that is over and drops expired ones; a failure is tried again with the next segment. */
async function tidy(
  { folder, book, keptMs, now, onTrouble }: ChainFileOptions,
  over: Segment,
): Promise<void> {
  if (keptMs === null) return;
  try {
    if (!over.path.endsWith('.gz')) await packSegment(folder, over.path);
    await dropSegments(folder, book, now() - keptMs);
  } catch (error) {
    onTrouble?.(`a segment was not packed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Null for a folder without a segment. */
async function openNewest(options: ChainFileOptions, openFile: OpenLogFile): Promise<Opened | null> {
  const { folder, book, onTrouble } = options;
  const newest = (await segmentsIn(folder, book)).at(-1);
  if (newest === undefined) return null;
  const { path, begunAt } = newest;
  const bytes = await segmentBytes(path);
  const line = firstLine(bytes);
  if (line === null || line.includes('\0')) {
    // Its first line was never flushed, so nothing was built upon it.
    onTrouble?.(`${path} was begun and never flushed: it is put aside`);
    await writeFile(`${path}.torn`, bytes, { mode: 0o600 });
    await unlink(path);
    return openNewest(options, openFile);
  }
  const { open, key, seal } = await sealOf(options, line, path);
  const { records, wholeBytes } = readSegment(bytes, { path, seal, last: null, mayBeTorn: true });
  const last = records.at(-1);
  if (last === undefined)
    throw new AppError('JOURNAL_BROKEN', { file: path, after: 0, cause: 'it has no line' });
  const file = openFile(path);
  if (wholeBytes < bytes.length && !path.endsWith('.gz')) {
    const lost = bytes.length - wholeBytes;
    onTrouble?.(`${path}: ${lost} bytes behind line ${last.seq} were never flushed and are cut away`);
    await writeFile(`${path}.torn`, bytes.subarray(wholeBytes), { mode: 0o600 });
    file.truncate(wholeBytes);
  }
  return { key, seal, open, file, last, begunAt, mustTurn: path.endsWith('.gz') };
}

async function sealOf(
  { box, installId }: Pick<ChainFileOptions, 'box' | 'installId'>,
  line: string,
  path: string,
): Promise<Pick<Opened, 'open' | 'key' | 'seal'>> {
  const broken = (cause: string, original?: unknown): AppError =>
    new AppError('JOURNAL_BROKEN', { file: path, after: 0, cause }, { cause: original });
  const open = ((): OpenEntry | null => {
    try {
      const { entry } = readUnproved(line, hashLine(line));
      return entry.kind === 'open' ? entry : null;
    } catch (error) {
      if (error instanceof CorruptRowError) return null;
      throw error;
    }
  })();
  if (open === null) throw broken('its first line opens nothing');
  if (open.installId !== installId) throw broken('it belongs to another installation');
  const key = Buffer.from(
    await box.unwrap(open.kekId, Buffer.from(open.wrappedKey, 'base64'), boundTo(open)),
  );
  return { open, key, seal: lineSeal(key) };
}

async function wrapped(
  box: KeyBox,
  key: Uint8Array,
  open: Pick<OpenEntry, 'journalId' | 'installId' | 'kekId'>,
): Promise<Pick<OpenEntry, 'kekId' | 'wrappedKey'>> {
  return { kekId: box.kekId, wrappedKey: Buffer.from(await box.wrap(key, boundTo(open))).toString('base64') };
}

/** Binds a wrapped MAC key to its journal and its installation. */
function boundTo({
  journalId,
  installId,
  kekId,
}: Pick<OpenEntry, 'journalId' | 'installId' | 'kekId'>): Uint8Array {
  return Buffer.from(`tradepost/journal/1\n${journalId}\n${installId}\n${kekId}`);
}

/** The first segment of a new book. */
async function begin(options: ChainFileOptions, openFile: OpenLogFile): Promise<Opened> {
  const { box, installId, database, now } = options;
  if (!options.mayBegin) throw new AppError('JOURNAL_MISSING', { folder: options.folder });
  const key = randomBytes(32);
  const seal = lineSeal(key);
  const names = { journalId: randomBytes(16).toString('base64url'), installId, kekId: box.kekId };
  const open: OpenEntry = { kind: 'open', database, ...names, ...(await wrapped(box, key, names)) };
  const begunAt = now();
  const before: Last = { seq: 0, hash: '' };
  const { file, last } = await beginSegment(options, openFile, {
    seal,
    last: before,
    at: begunAt,
    entry: open,
  });
  return { key, seal, open, file, last, begunAt, mustTurn: false };
}

/** Flushed with its first line and its name before anything is added. */
async function beginSegment(
  { folder, book }: Pick<ChainFileOptions, 'folder' | 'book'>,
  openFile: OpenLogFile,
  given: { readonly seal: LineSeal; readonly last: Last; readonly at: number; readonly entry: OpenEntry },
): Promise<{ readonly file: LogFile; readonly last: Last }> {
  const { seal, last: before, at, entry } = given;
  const seq = before.seq + 1;
  const { line, record } = writeLine(seal, { seq, epoch: 0, at, prev: before.hash, entry });
  const file = openFile(segmentPath(folder, book, seq, at));
  try {
    // The rest of a failed beginning.
    file.truncate(0);
    file.write(Buffer.from(`${line}\n`, 'utf8'));
    await file.flush();
    await flushFolder(folder);
  } catch (error) {
    file.close();
    await unlink(segmentPath(folder, book, seq, at)).catch(() => undefined);
    throw error;
  }
  return { file, last: record };
}

type Place = { readonly folder: string; readonly book: Book };

async function* recordsSince(
  { folder, book }: Place,
  seal: LineSeal,
  since: number,
): AsyncIterable<JournalRecord> {
  const segments = await segmentsIn(folder, book);
  const from = Math.max(
    0,
    segments.findLastIndex(({ begunAt }) => begunAt <= since),
  );
  let last: Last | null = null;
  for (const [index, { path }] of segments.entries()) {
    if (index < from) continue;
    const mayBeTorn = index === segments.length - 1;
    const { records } = readSegment(await segmentBytes(path), { path, seal, last, mayBeTorn });
    yield* records;
    last = records.at(-1) ?? last;
  }
}

async function hashAt({ folder, book }: Place, seal: LineSeal, seq: number): Promise<string | null> {
  const segments = await segmentsIn(folder, book);
  const segment = segments.findLast(({ firstSeq }) => firstSeq <= seq);
  if (segment === undefined) return null;
  const { path } = segment;
  const { records } = readSegment(await segmentBytes(path), {
    path,
    seal,
    last: null,
    mayBeTorn: segment === segments.at(-1),
  });
  return records.find((record) => record.seq === seq)?.hash ?? null;
}
