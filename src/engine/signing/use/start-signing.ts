import { runBeat } from '../../../core/time/run-beat.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import type { QuarantineStore } from '../../../platform/ports/operations.ts';
import type { JournalBook } from '../rules/book.ts';
import { createExportWatch, type ExportWatchDeps } from './export-watch.ts';
import { createOrderStops } from './order-stops.ts';
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
    Pick<ExportWatchDeps, 'db' | 'guardRules' | 'ids'> & {
      readonly journal: Journal;
      readonly adopts: boolean;
      readonly certifier: Pick<Certifier, 'order'>;
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

/** Sees the audit log grow, and orders and key files end, until the result is called. */
function watchRows(
  deps: Parameters<typeof startSigning>[0],
  book: JournalBook,
  signing: SigningJournal,
): () => Promise<void> {
  const { clock } = deps;
  const trail = createTrailWitness({
    log: deps.db.auditLog,
    book,
    quarantines: deps.quarantines,
    write: (entry) => signing.write(entry),
    sha256: deps.sha256,
    now: () => clock.now(),
  });
  const stopTrail = runBeat({
    beat: trail.beat,
    pauseMs: () => TRAIL_MS,
    pause: deps.pause,
    told: {
      log: deps.log,
      failing: 'the audit log does not continue: run "npm run ops -- audit"',
      again: 'the audit log continues again',
    },
  });
  const stops = createOrderStops({ ...deps, book, write: (entry) => signing.write(entry) });
  const stopStops = runBeat({
    beat: stops.beat,
    pauseMs: () => QUIET_MS,
    pause: deps.pause,
    told: {
      log: deps.log,
      failing: 'ends of orders cannot be read',
      again: 'ends of orders are read again',
    },
  });
  const exports = createExportWatch({ ...deps, book, write: (entry) => signing.write(entry) });
  const stopExports = runBeat({
    beat: exports.beat,
    pauseMs: () => QUIET_MS,
    pause: deps.pause,
    told: {
      log: deps.log,
      failing: 'rows of key files cannot be compared with the journal',
      again: 'rows of key files are compared with the journal again',
    },
  });
  return async () => {
    await Promise.all([stopTrail(), stopStops(), stopExports()]);
  };
}
