import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LandedTransaction, TransactionStatus } from '../landed-transaction.ts';
import { decodeEntry, encodeEntry, type JournalEntry, slotOf } from './journal-entry.ts';

/** One file of the journal. Slots are those of its first and last entry; null while it has none. */
export type Segment = {
  readonly number: number;
  readonly lines: number;
  /** Bytes of whole lines; anything after is a write that death cut short, of which nobody was told. */
  readonly wholeBytes: number;
  readonly slots: { readonly first: number; readonly last: number } | null;
  /** Nothing but statuses stands in it. */
  readonly isBare: boolean;
};

/** What the chain still remembers: older entries need not stay on the disk. */
export interface History {
  firstSlot(): number;
  firstStatusSlot(): number;
  between(first: number, last: number): Generator<LandedTransaction | TransactionStatus>;
}

/** Lines encoded at a stretch: a few milliseconds, after which requests are served. */
const LINES_AT_A_STRETCH = 100;

export function segmentName(number: number): string {
  return `journal-${number}.jsonl`;
}

export function segmentNumber(name: string): number {
  return Number(/^journal-(\d+)\.jsonl$/.exec(name)?.[1] ?? Number.NaN);
}

/** The segments of the folder in the order in which they were written. Throws on a first or last line that is no entry. */
export function readSegments(dir: string): readonly Segment[] {
  const numbers = readdirSync(dir).map(segmentNumber).filter(Number.isSafeInteger);
  return numbers.toSorted((a, b) => a - b).map((number) => readSegment(dir, number));
}

function readSegment(dir: string, number: number): Segment {
  const bytes = readFileSync(join(dir, segmentName(number)));
  const wholeBytes = bytes.lastIndexOf(10) + 1;
  let lines = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, end + 1)) lines += 1;
  if (lines === 0) return { number, lines, wholeBytes, slots: null, isBare: false };
  const first = decodeEntry(bytes.toString('utf8', 0, bytes.indexOf(10)));
  const last = decodeEntry(
    bytes.toString('utf8', bytes.subarray(0, wholeBytes - 1).lastIndexOf(10) + 1, wholeBytes - 1),
  );
  const slots = { first: slotOf(first), last: slotOf(last) };
  return { number, lines, wholeBytes, slots, isBare: last.kind === 'status' };
}

/** What is to be done with a closed segment: drop it, rewrite it with what is still remembered of it, or nothing. */
export function dueFor(segment: Segment, history: History, maxLines: number): 'drop' | 'rewrite' | null {
  if (segment.slots === null || segment.slots.last < history.firstStatusSlot()) return 'drop';
  if (segment.isBare) return null;
  const isForgotten = segment.slots.last < history.firstSlot();
  // A folder of an earlier release has all its history in one file, most of it forgotten.
  const isOverlong = segment.lines > maxLines && segment.slots.first < history.firstSlot();
  return isForgotten || isOverlong ? 'rewrite' : null;
}

export function dropSegment(dir: string, { number }: Segment): void {
  rmSync(join(dir, segmentName(number)), { force: true });
}

/**
 * Puts a file with what is still remembered in place of the segment, all or nothing. Only for segments whose effect is inside
 * the snapshot on disk: accounts written past the rules are left out. Null, and nothing done, when `isOver` says so at the end.
 */
export async function rewriteSegment(
  dir: string,
  segment: Segment,
  history: History,
  isOver: () => boolean,
): Promise<Segment | null> {
  if (segment.slots === null) return segment;
  const path = join(dir, segmentName(segment.number));
  const file = await open(`${path}.tmp`, 'w', 0o600);
  let [lines, wholeBytes, isBare] = [0, 0, true];
  try {
    let stretch: string[] = [];
    const write = async (): Promise<void> => {
      const bytes = Buffer.from(stretch.join(''));
      stretch = [];
      for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
      wholeBytes += bytes.length;
    };
    for (const one of history.between(segment.slots.first, segment.slots.last)) {
      const entry = entryOf(one);
      isBare &&= entry.kind === 'status';
      stretch.push(`${encodeEntry(entry)}\n`);
      lines += 1;
      if (stretch.length >= LINES_AT_A_STRETCH) await write();
    }
    await write();
    await file.sync();
  } finally {
    await file.close();
  }
  if (isOver()) {
    rmSync(`${path}.tmp`, { force: true });
    return null;
  }
  renameSync(`${path}.tmp`, path);
  return { ...segment, lines, wholeBytes, isBare };
}

function entryOf(one: LandedTransaction | TransactionStatus): JournalEntry {
  return 'bytes' in one ? { kind: 'landed', transaction: one } : { kind: 'status', status: one };
}
