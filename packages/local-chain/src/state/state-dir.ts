import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Head, openHead, readHead } from './head.ts';
import { type Journal, openJournal, readJournal } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import { acquireLock } from './lock.ts';
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';
import { type StateError, unusable } from './state-error.ts';

/** What an earlier run left behind. */
export type SavedState = {
  readonly snapshot: Snapshot;
  /** Already inside the snapshot: history only. */
  readonly before: readonly JournalEntry[];
  /** To be run again over the snapshot. */
  readonly after: readonly JournalEntry[];
  readonly head: Head | null;
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
  /** Begins a new journal that holds `entries` only, and a snapshot that continues from its end. */
  compact(content: SnapshotContent, entries: Iterable<JournalEntry>): void;
  /** An error that says `what` of this folder, and how to start afresh. */
  unusable(what: string): StateError;
  close(): void;
}

const FIRST_JOURNAL = 'journal-1.jsonl';

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
  let journal: Journal = openJournal(join(dir, journalName), saved?.wholeBytes ?? 0);
  const head = openHead(paths.head);
  const save = (content: SnapshotContent): void => {
    writeSnapshot(paths.snapshot, { ...content, journalName, journalBytes: journal.size() });
  };
  return {
    seed,
    saved,
    append: (entry) => journal.append(entry),
    writeHead: (value) => head.write(value),
    save,
    compact: (content, entries) => {
      const old = { name: journalName, journal };
      journalName = nextName(journalName);
      journal = openJournal(join(dir, journalName), 0);
      for (const entry of entries) journal.append(entry);
      save(content);
      old.journal.close();
      rmSync(join(dir, old.name), { force: true });
    },
    unusable: unfit,
    close: () => {
      journal.close();
      head.close();
      release();
    },
  };
}

function readSaved(
  dir: string,
  paths: { snapshot: string; head: string },
  unfit: Unfit,
): SavedState & { wholeBytes: number } {
  try {
    const snapshot = readSnapshot(paths.snapshot);
    const { entries, wholeBytes } = readJournal(join(dir, snapshot.journalName));
    if (wholeBytes < snapshot.journalBytes) throw new SyntaxError('the journal is shorter than its snapshot');
    const before = entries.filter(({ end }) => end <= snapshot.journalBytes).map(({ entry }) => entry);
    const after = entries.slice(before.length).map(({ entry }) => entry);
    return { snapshot, before, after, head: readHead(paths.head), wholeBytes };
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

/** The 32-byte seed that a text stands for. */
export function seedOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
