import { runBeat } from '../../../core/time/run-beat.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import type { QuarantineStore } from '../../../platform/ports/operations.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { JournalBook } from '../rules/book.ts';
import { createExportWatch, type ExportWatchDeps } from './export-watch.ts';
import { createKeyEnds, type KeyEndsDeps } from './key-ends.ts';
import { createOrderStops } from './order-stops.ts';
import { createPeriodEnds } from './period-ends.ts';
import { createPinTries, type PinTries } from './pin-tries.ts';
import { readJournal } from './read-journal.ts';
import { createSigningJournal, type SigningJournal, type SigningJournalDeps } from './signing-journal.ts';
import { createTrailWitness } from './witness-trail.ts';

/** Between two beats: while signatures are on their way into the database, and else. */
const BUSY_MS = 1_000;
const QUIET_MS = 5_000;
/** Between two sights of the audit log: acts can be taken away unseen for as long. */
const TRAIL_MS = 10_000;

export type StartedSigning = {
  readonly signing: SigningJournal;
  readonly tries: PinTries;
  /** Ends the beat; the journal stays open. */
  readonly stop: () => Promise<void>;
};

/**
 * Reads the journal, compares it with the database once, and goes on doing so. When it resolves, the fence is up if it must be.
 * Throws JOURNAL_BEHIND, JOURNAL_BROKEN, JOURNAL_MISSING, DATABASE_FORGETFUL, JOURNAL_FULL, DATABASE_UNREACHABLE. `adopts` takes a
 * journal that the database does not know.
 */
export async function startSigning(
  deps: Omit<SigningJournalDeps, 'book'> &
    Pick<ExportWatchDeps, 'db' | 'guardRules' | 'ids'> &
    Pick<KeyEndsDeps, 'db'> & {
      readonly journal: Journal;
      readonly db: Pick<Database, 'convert'>;
      readonly adopts: boolean;
      readonly certifier: Pick<Certifier, 'order' | 'period'>;
      readonly sha256: (text: string) => string;
      readonly quarantines: Pick<QuarantineStore, 'lastLifted'>;
      readonly pause: (ms: number) => Promise<void>;
    },
): Promise<StartedSigning> {
  const { journal, clock } = deps;
  const tries = createPinTries({ clock, write: (entry) => journal.append(entry) });
  const book = await readJournal(deps, (record) => tries.apply(record));
  const signing = createSigningJournal({ ...deps, book });
  await signing.beat();
  const stop = runBeat({
    beat: () => signing.beat(),
    pauseMs: () => (signing.isBusy() ? BUSY_MS : QUIET_MS),
    pause: deps.pause,
    told: {
      log: deps.log,
      failing: 'the journal cannot be compared with the database',
      again: 'the journal is compared with the database again',
    },
  });
  const stopWatching = watchRows(deps, book, signing);
  return {
    signing,
    tries,
    stop: async () => {
      await Promise.all([stop(), stopWatching()]);
    },
  };
}

/** A look at rows that repeats. */
type RowWatch = {
  readonly beat: () => Promise<void>;
  readonly everyMs?: number;
  readonly failing: string;
  readonly again: string;
};

/** Sees the audit log grow, and orders, key files, periods of conversion and personal keys end, until the result is called. */
function watchRows(
  deps: Parameters<typeof startSigning>[0],
  book: JournalBook,
  signing: SigningJournal,
): () => Promise<void> {
  const write: SigningJournal['write'] = (entry) => signing.write(entry);
  const { quarantines, sha256, clock } = deps;
  const now = () => clock.now();
  const trail = createTrailWitness({ log: deps.db.auditLog, book, quarantines, write, sha256, now });
  const rows: readonly RowWatch[] = [
    {
      beat: trail.beat,
      everyMs: TRAIL_MS,
      failing: 'the audit log does not continue: run "npm run ops -- audit"',
      again: 'the audit log continues again',
    },
    {
      beat: createOrderStops({ ...deps, book, write }).beat,
      failing: 'ends of orders cannot be read',
      again: 'ends of orders are read again',
    },
    {
      beat: createExportWatch({ ...deps, book, write }).beat,
      failing: 'rows of key files cannot be compared with the journal',
      again: 'rows of key files are compared with the journal again',
    },
    {
      beat: createPeriodEnds({ ...deps, book, write }).beat,
      failing: 'periods of conversion cannot be read',
      again: 'periods of conversion are read again',
    },
    {
      beat: createKeyEnds({ ...deps, book, endKey: (end) => signing.endKey(end) }).beat,
      failing: 'ends of personal keys cannot be read',
      again: 'ends of personal keys are read again',
    },
  ];
  const stops = rows.map(({ beat, everyMs = QUIET_MS, ...told }) =>
    runBeat({ beat, pauseMs: () => everyMs, pause: deps.pause, told: { log: deps.log, ...told } }),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
