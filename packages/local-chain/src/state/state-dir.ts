import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Head, openHead, readHead } from './head.ts';
import { type Journal, openJournal, readJournal } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import { acquireLock } from './lock.ts';
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';
import { type StateError, unusable } from './state-error.ts';

/** The state that an earlier run left behind. */
export type SavedState = {
  readonly snapshot: Snapshot;
  /** The journal in order, decoded as it is asked for. Throws on a line that is no entry. */
  readonly entries: () => Generator<SavedEntry>;
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
  save(content: SnapshotContent): void;
  /** Entries in the journal. */
  lines(): number;
  /**
   * Writes a journal that holds `entries` and the ones appended meanwhile, then a snapshot that continues from its end, and removes the old
   * journal. Requests are served in between; `content` is called at the end. Until the snapshot is in place a kill leaves the old journal
   * as it was. One call at a time; nothing happens when the folder is closed meanwhile.
   */
  compact(entries: Iterable<JournalEntry>, content: () => SnapshotContent): Promise<void>;
  /** An error that says `what` of this folder, and how to start afresh. */
  unusable(what: string): StateError;
  close(): void;
}

export const FIRST_JOURNAL = 'journal-1.jsonl';
/** Entries written at a stretch while the journal is compacted: a few milliseconds. */
const ENTRIES_AT_A_STRETCH = 50;

/** Opens or creates the folder. Throws StateError with the mend when it is in use, damaged or of another seed. */
export function openStateDir(
  dir: string,
  wantedSeed: Uint8Array | null,
  resetHint: string | undefined,
): StateDir {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = acquireLock(dir);
  try {
    const unfit: Unfit = (what) => unusable(dir, what, resetHint);
    return openLocked(dir, wantedSeed, unfit, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

type Unfit = (what: string) => StateError;

function openLocked(dir: string, wantedSeed: Uint8Array | null, unfit: Unfit, release: () => void): StateDir {
  const paths = { snapshot: join(dir, 'snapshot.bin'), head: join(dir, 'head') };
  const seed = readSeed(dir, wantedSeed, unfit);
  const saved = existsSync(paths.snapshot) ? readSaved(dir, paths, unfit) : null;
  let journalName = saved?.snapshot.journalName ?? FIRST_JOURNAL;
  removeOthers(dir, journalName);
  let journal: Journal = openJournal(join(dir, journalName), saved?.wholeBytes ?? 0);
  let lines = saved?.lines ?? 0;
  /** Entries appended while a compaction runs. */
  let meanwhile: JournalEntry[] | null = null;
  let isClosed = false;
  const head = openHead(paths.head);

  const compact = async (
    name: string,
    entries: Iterable<JournalEntry>,
    late: readonly JournalEntry[],
    content: () => SnapshotContent,
  ): Promise<void> => {
    const next = openJournal(join(dir, name), 0);
    let isInPlace = false;
    try {
      let written = 0;
      for (const entry of entries) {
        next.append(entry);
        written += 1;
        if (written % ENTRIES_AT_A_STRETCH === 0) await nextTurn();
        if (isClosed) return;
      }
      // From here on nothing else runs: the snapshot is of the state behind the last entry.
      for (const entry of late) next.append(entry);
      writeSnapshot(paths.snapshot, { ...content(), journalName: name, journalBytes: next.size() });
      isInPlace = true;
      const old = { name: journalName, journal };
      [journalName, journal, lines] = [name, next, written + late.length];
      old.journal.close();
      rmSync(join(dir, old.name), { force: true });
    } finally {
      if (!isInPlace) {
        next.close();
        rmSync(join(dir, name), { force: true });
      }
    }
  };

  return {
    seed,
    saved,
    append: (entry) => {
      journal.append(entry);
      lines += 1;
      // A state written past the rules is in the snapshot, and no part of history.
      if (entry.kind === 'landed') meanwhile?.push(entry);
    },
    writeHead: (value) => head.write(value),
    save: (content) => {
      writeSnapshot(paths.snapshot, { ...content, journalName, journalBytes: journal.size() });
    },
    lines: () => lines,
    compact: async (entries, content) => {
      const late: JournalEntry[] = [];
      meanwhile = late;
      try {
        await compact(nextName(journalName), entries, late, content);
      } finally {
        meanwhile = null;
      }
    },
    unusable: unfit,
    close: () => {
      isClosed = true;
      journal.close();
      head.close();
      release();
    },
  };
}

/** A compaction that a kill cut short leaves the journal that it wrote, or the one that it replaced. */
function removeOthers(dir: string, journalName: string): void {
  for (const name of readdirSync(dir)) {
    if (/^journal-\d+\.jsonl$/.test(name) && name !== journalName) rmSync(join(dir, name));
  }
}

function readSaved(
  dir: string,
  paths: { snapshot: string; head: string },
  unfit: Unfit,
): SavedState & { readonly lines: number; readonly wholeBytes: number } {
  try {
    const snapshot = readSnapshot(paths.snapshot);
    const { entries, lines, wholeBytes } = readJournal(join(dir, snapshot.journalName));
    if (wholeBytes < snapshot.journalBytes) throw new SyntaxError('the journal is shorter than its snapshot');
    return {
      snapshot,
      *entries() {
        for (const { entry, end } of entries()) yield { entry, isInside: end <= snapshot.journalBytes };
      },
      head: readHead(paths.head),
      lines,
      wholeBytes,
    };
  } catch (error) {
    throw unfit(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The seed file, made on first use and readable by the owner only: the faucet's and the makers' keys follow from it. */
function readSeed(dir: string, wanted: Uint8Array | null, unfit: Unfit): Uint8Array {
  const path = join(dir, 'seed');
  if (!existsSync(path)) {
    const seed = wanted ?? randomBytes(32);
    writeFileSync(path, Buffer.from(seed).toString('hex'), { mode: 0o600 });
    return seed;
  }
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw unfit('cannot be read: the seed is not 32 bytes of hex');
  const seed = Buffer.from(text, 'hex');
  if (wanted !== null && !seed.equals(wanted)) {
    throw unfit('belongs to another seed');
  }
  return seed;
}

function nextName(name: string): string {
  const number = Number(/\d+/.exec(name)?.[0] ?? 0) + 1;
  return `journal-${number}.jsonl`;
}

/** The 32-byte seed of a text. */
export function seedOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
