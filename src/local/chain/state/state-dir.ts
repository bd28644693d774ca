import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Head, openHead, readHead } from './head.ts';
import { type Journal, openJournal, readJournal } from './journal.ts';
import { type JournalEntry, slotOf } from './journal-entry.ts';
import { acquireLock } from './lock.ts';
import {
  dropSegment,
  dueFor,
  type History,
  readSegments,
  rewriteSegment,
  type Segment,
  segmentName,
  segmentNumber,
} from './segments.ts';
import { readSnapshot, type Snapshot, writeBeside, writeSnapshot } from './snapshot.ts';
import { StateError, unreadable } from './state-error.ts';

/** What an earlier run left behind. */
export type SavedState = {
  readonly snapshot: Snapshot;
  /** The journal in order, read as it is asked for; throws StateError at a line that is no entry. */
  readonly entries: () => Generator<SavedEntry>;
  readonly lines: number;
  /** The slot of the oldest entry when earlier ones were dropped, null when everything is still there. */
  readonly firstKeptSlot: number | null;
  readonly head: Head | null;
};

export type SavedEntry = {
  readonly entry: JournalEntry;
  /** Already inside the snapshot: history only. Otherwise it is to be run again over the snapshot. */
  readonly isInside: boolean;
};

export type SnapshotContent = Omit<Snapshot, 'journalName' | 'journalBytes'>;

/** The chain's folder, locked for this process. */
export interface StateDir {
  readonly seed: Uint8Array;
  /** Null for a chain that has not had its genesis. */
  readonly saved: SavedState | null;
  append(entry: JournalEntry): void;
  writeHead(head: Head): void;
  /** On return the snapshot is on the disk. */
  save(content: SnapshotContent): void;
  /**
   * Begins a new file of the journal, takes a snapshot that continues from there, then shortens or removes the files of
   * which `history` has forgotten something. The disk is written beside the loop; one call at a time.
   */
  saveAndTidy(content: SnapshotContent, history: History, maxLines: number): Promise<void>;
  close(): void;
}

const FIRST_JOURNAL = 1;

/** Opens or creates the folder. Throws StateError with the mend when it is in use, damaged or of another seed. */
export function openStateDir(dir: string, wantedSeed: Uint8Array | null): StateDir {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = acquireLock(dir);
  try {
    return openLocked(dir, wantedSeed, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked(dir: string, wantedSeed: Uint8Array | null, release: () => void): StateDir {
  const paths = { snapshot: join(dir, 'snapshot.bin'), head: join(dir, 'head') };
  for (const name of readdirSync(dir)) if (/\.(tmp|next)$/.test(name)) rmSync(join(dir, name));
  const seed = readSeed(dir, wantedSeed);
  const found = existsSync(paths.snapshot) ? readSaved(dir, paths) : null;
  const last = found?.segments.at(-1);
  let closed: Segment[] = found?.segments.slice(0, -1) ?? [];
  let number = last?.number ?? FIRST_JOURNAL;
  /** Its own lines begin with this segment, as far as the snapshot on disk is concerned. */
  let savedNumber = number;
  let slots = last?.slots ?? null;
  let lines = last?.lines ?? 0;
  let journal: Journal = openJournal(join(dir, segmentName(number)), last?.wholeBytes ?? 0);
  let isClosed = false;
  const head = openHead(paths.head);

  const roll = (): void => {
    const wholeBytes = journal.size();
    const next = openJournal(join(dir, segmentName(number + 1)), 0);
    journal.close();
    closed.push({ number, lines, wholeBytes, slots, isBare: false });
    journal = next;
    number += 1;
    lines = 0;
    slots = null;
  };
  const here = (): Pick<Snapshot, 'journalName' | 'journalBytes'> => {
    return { journalName: segmentName(number), journalBytes: journal.size() };
  };
  const tidy = async (history: History, maxLines: number): Promise<void> => {
    for (const segment of closed) {
      const due = segment.number < savedNumber ? dueFor(segment, history, maxLines) : null;
      if (isClosed || due === null) continue;
      const kept = due === 'drop' ? null : await rewriteSegment(dir, segment, history, () => isClosed);
      if (due === 'drop') dropSegment(dir, segment);
      closed = closed.flatMap((one) => (one !== segment ? [one] : kept === null ? [] : [kept]));
    }
  };

  return {
    seed,
    saved: found,
    append: (entry) => {
      journal.append(entry);
      lines += 1;
      slots = { first: slots?.first ?? slotOf(entry), last: slotOf(entry) };
    },
    writeHead: (value) => head.write(value),
    save: (content) => {
      writeSnapshot(paths.snapshot, { ...content, ...here() });
      savedNumber = number;
    },
    saveAndTidy: async (content, history, maxLines) => {
      if (lines > 0) roll();
      const begun = number;
      const beside = `${paths.snapshot}.next`;
      await writeBeside(beside, { ...content, ...here() });
      // Whoever closed the folder meanwhile has saved a newer one.
      if (isClosed) return rmSync(beside, { force: true });
      renameSync(beside, paths.snapshot);
      savedNumber = begun;
      await tidy(history, maxLines);
    },
    close: () => {
      isClosed = true;
      journal.close();
      head.close();
      release();
    },
  };
}

function readSaved(
  dir: string,
  paths: { snapshot: string; head: string },
): SavedState & { segments: readonly Segment[] } {
  try {
    const snapshot = readSnapshot(paths.snapshot);
    const current = segmentNumber(snapshot.journalName);
    const segments = continued(dir, readSegments(dir), current);
    const its = segments.find(({ number }) => number === current);
    if (its === undefined) throw new SyntaxError(`${snapshot.journalName} is missing`);
    if (its.wholeBytes < snapshot.journalBytes) {
      throw new SyntaxError('the journal is shorter than its snapshot');
    }
    const first = segments[0];
    return {
      snapshot,
      segments,
      lines: segments.reduce((sum, one) => sum + one.lines, 0),
      firstKeptSlot:
        first === undefined || first.number === FIRST_JOURNAL ? null : (first.slots?.first ?? snapshot.tip),
      entries: () => entriesOf(dir, segments, current, snapshot.journalBytes),
      head: readHead(paths.head),
    };
  } catch (error) {
    throw unreadable(dir, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Without a file that an earlier release left when it was killed while it compacted: a copy of the history under the next
 * number, which the snapshot does not know. It is told by its slots: it goes back behind the journal that it should continue.
 */
function continued(dir: string, segments: readonly Segment[], current: number): readonly Segment[] {
  let newest = 0;
  return segments.filter((segment) => {
    const isCopy = segment.number > current && segment.slots !== null && segment.slots.first < newest;
    if (isCopy) dropSegment(dir, segment);
    else newest = Math.max(newest, segment.slots?.last ?? 0);
    return !isCopy;
  });
}

function* entriesOf(
  dir: string,
  segments: readonly Segment[],
  current: number,
  insideBytes: number,
): Generator<SavedEntry> {
  try {
    for (const { number } of segments) {
      for (const { entry, end } of readJournal(join(dir, segmentName(number)))) {
        yield { entry, isInside: number < current || (number === current && end <= insideBytes) };
      }
    }
  } catch (error) {
    throw unreadable(dir, error instanceof Error ? error.message : String(error));
  }
}

/** The seed file, made on first use and readable by the owner only: the faucet's and the makers' keys follow from it. */
function readSeed(dir: string, wanted: Uint8Array | null): Uint8Array {
  const path = join(dir, 'seed');
  if (!existsSync(path)) {
    const seed = wanted ?? randomBytes(32);
    writeFileSync(path, Buffer.from(seed).toString('hex'), { mode: 0o600 });
    return seed;
  }
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw unreadable(dir, 'the seed is not 32 bytes of hex');
  const seed = Buffer.from(text, 'hex');
  if (wanted !== null && !seed.equals(wanted)) {
    throw new StateError(
      `The local chain's state in ${dir} belongs to another seed. Start afresh with: npm run reset`,
    );
  }
  return seed;
}

/** The 32-byte seed that a text stands for. */
export function seedOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
