import { hasCode } from '../../../core/errors/app-error.ts';
import { encodeExportNotice } from '../../../modules/guard/rules/export-notice.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import { type ExportStopper, isOnItsWay, type KeyExport } from '../../../modules/guard/rules/key-export.ts';
import { type GateDeps, passGate } from '../../../modules/guard/use/pass-gate.ts';
import { exportsOf, type SeenExport } from '../../../modules/wallets/use/judge-export.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { ownAct } from '../../audit/rules.ts';
import { addNotices } from '../../transactions/use/add-notices.ts';
import type { JournalBook } from '../rules/book.ts';
import { type ExportNote, isOfNote, isOpenNote } from '../rules/export-notes.ts';
import type { WritableEntry } from '../rules/line.ts';

/** Open rows of one look. A flood of forged ones hides none: each is refused when it is taken. */
const MOST_ROWS = 1_000;

export type ExportWatchDeps = GateDeps & {
  readonly db: Pick<Database, 'exports' | 'flags' | 'guards' | 'transact'>;
  readonly book: Pick<JournalBook, 'exports' | 'fence'>;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'error'>;
  readonly write: (entry: WritableEntry) => Promise<void>;
};

/**
 * Sees key files end: each beat compares the open rows with the journal. A freeze, a new PIN and a thrown switch are written down, so that
 * none of them is undone in the rows; so is a row that went missing or was changed. An open row that the journal does not know, or
 * knows to be over, is ended, and its person told. That is also the end of a file that was asked for before the journal knew such.
 * Who writes the database within two beats of an end can still hide it.
 */
export function createExportWatch(deps: ExportWatchDeps): { readonly beat: () => Promise<void> } {
  const { db, book, clock } = deps;
  return {
    beat: async () => {
      // A database that went back in time says nothing about what ended since.
      if (book.fence() !== null) return;
      const noted = book.exports.open(clock);
      const rows = await db.exports.listOpen(clock.now(), MOST_ROWS);
      for (const userId of new Set([...noted, ...rows].map((one) => one.userId))) {
        try {
          await look(deps, userId);
        } catch (error) {
          // Nothing leaves of a person whose guard is forged; the files of the others are looked at.
          if (!hasCode(error, 'ROW_FORGED')) throw error;
        }
      }
    },
  };
}

async function look(deps: ExportWatchDeps, userId: string): Promise<void> {
  const { db, clock } = deps;
  const seen = await newsOf(deps, db, await db.guards.find(userId));
  if (seen.ends.length + seen.disowned.length === 0) return;
  // Under the lock of the person's guard, as a file is asked for, taken and stopped: a row of this moment is not committed yet.
  await db.transact(async (stores) => {
    const { ends, disowned } = await newsOf(deps, stores, await stores.guards.lock(userId));
    for (const { exportId, by } of ends) {
      await deps.write({ kind: 'export-stopped', exportId, overAt: clock.now(), by });
      if (by !== 'signer') continue;
      const facts = { exportId, userId };
      deps.log.error(facts, 'the row of a key file was changed or taken away: the file does not leave');
    }
    for (const found of disowned) await disown(deps, stores, found);
  });
}

/** Files of the person that are over and the journal takes for open, and open rows of files that it does not take for open. */
async function newsOf(
  { book, clock }: ExportWatchDeps,
  stores: Pick<Stores, 'exports' | 'flags'>,
  guard: Guard,
): Promise<{
  readonly ends: readonly { readonly exportId: string; readonly by: ExportStopper }[];
  readonly disowned: readonly KeyExport[];
}> {
  const { userId } = guard;
  const seen = await exportsOf(stores, guard, { userId, since: clock.now(), now: clock });
  const ends: { readonly exportId: string; readonly by: ExportStopper }[] = [];
  for (const note of book.exports.of(userId)) {
    if (!isOpenNote(note, clock)) continue;
    const { exportId } = note;
    const row = await stores.exports.find(exportId);
    const by = endOf(note, seen.find(({ found }) => found.id === exportId) ?? null, row?.end ?? null);
    if (by !== null) ends.push({ exportId, by });
  }
  const disowned = seen.flatMap(({ found, state }) => {
    const note = book.exports.find(found.id);
    return isOnItsWay(state) && (note === null || !isOpenNote(note, clock)) ? [found] : [];
  });
  return { ends, disowned };
}

/** What ended a file that the journal takes for open; null = nothing. `end`: of its row. */
function endOf(
  note: ExportNote,
  seen: SeenExport | null,
  end: SeenExport['found']['end'],
): ExportStopper | null {
  if (end !== null) return end.kind === 'STOPPED' ? end.by : 'signer';
  if (seen === null || !isOfNote(seen.found, note)) return 'signer';
  return seen.state.kind === 'STOPPED' ? seen.state.by : null;
}

/** Ends an open row of a file that the journal does not take for open, and tells its person. */
async function disown(
  deps: ExportWatchDeps,
  stores: Stores,
  { id: exportId, userId, walletId }: KeyExport,
): Promise<void> {
  const at = deps.clock.now();
  deps.log.error({ exportId, userId }, 'a key file that the journal does not know to be open was stopped');
  const passed = await passGate(stores, deps, { act: 'export-stop', userId });
  await stores.exports.end(passed, exportId, { kind: 'STOPPED', at, by: 'signer' });
  const wallet = await stores.wallets.find(walletId);
  const details = { walletId, address: wallet?.address ?? '' };
  await stores.auditLog.record(ownAct(userId, at, 'export-stopped', details));
  const payload = encodeExportNotice({ exportId, event: 'disowned' });
  await addNotices(deps, stores, [{ userId, intentId: null, kind: 'export', payload, at }]);
}
