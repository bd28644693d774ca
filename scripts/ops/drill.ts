import { stat } from 'node:fs/promises';
import type { Config } from '../../src/config/index.ts';
import { isAppError } from '../../src/core/errors/app-error.ts';
import { WITHOUT_KEYBOOK } from '../../src/modules/operations/rules/check-up.ts';
import { restoreDatabase } from '../../src/platform/db/restore.ts';
import { createScratchDatabase } from '../../src/platform/db/scratch-database.ts';
import { runAudit } from './audit.ts';
import type { Io } from './command.ts';
import { readIdentity } from './dump.ts';
import { keybookRehearse } from './keybook.ts';
import { newestDump } from './nightly-dump.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { runReconcile } from './reconcile.ts';

/** In the trail, of a drill that did not come as far as its checks. */
const NOT_RESTORED = 'not restored';

export type DrillOptions = {
  /** A dump, or the folder of the dumps, of which the newest is taken. */
  readonly path: string;
  readonly identity: string | undefined;
};

/**
 * Restores a dump into a scratch database, and puts back there the wallets that the keybook has beside it. Compares it with the journal and
 * the chain, and prints how old its data is (RPO) and how long all of it took (RTO). Drops the scratch database. Journal and keybook are
 * read alone, and no key is opened but those that the dump lacks. The database in use gets one row: the drill in its audit log, also of a
 * dump that cannot be restored. 0 = a restore of today would work, 1 = something differs, is missing or cannot be restored. Throws
 * UsageError for a path or an identity that cannot be read; then nothing was opened.
 */
export async function runDrill(io: Io, options: DrillOptions): Promise<number> {
  const began = Date.now();
  const isFolder = await readable(options.path);
  const identity = options.identity === undefined ? null : await identityOf(options.identity);
  const { db, url, close } = await openDatabase(io, 'in-use');
  try {
    const path = isFolder ? await newestOf(options.path) : options.path;
    const { failed, words } = await drillOn(io, url, { path, identity, began });
    const outcome = failed.length === 0 ? 'done' : 'refused';
    await recordAct(db, 'operator-command', { command: 'drill', words }, { outcome });
    return failed.length === 0 ? 0 : 1;
  } catch (error) {
    // The reason is on the screen. A trail that cannot be written must not hide it.
    const details = { command: 'drill', words: [NOT_RESTORED] };
    await recordAct(db, 'operator-command', details, { outcome: 'refused' }).catch(() =>
      io.note('the drill could not be written into the audit log'),
    );
    throw error;
  } finally {
    await close();
  }
}

type Dump = { readonly path: string; readonly identity: string | null; readonly began: number };

/** The drill in a scratch database on the server of `url`: names of the failed checks, and the words for the trail. */
async function drillOn(
  io: Io,
  url: string,
  { path, identity, began }: Dump,
): Promise<{ readonly failed: readonly string[]; readonly words: readonly string[] }> {
  const scratch = await createScratchDatabase(io.config().scratchDatabaseUrl ?? url);
  for (const name of scratch.left)
    io.note(`database "${name}" is left of an earlier drill; drop it: DROP DATABASE ${name}`);
  try {
    io.print(`dump       ${path}`);
    const { rows, dataAsOf } = await restoreDatabase({ url: scratch.url, path, replace: false, identity });
    io.print(`restored   ${rows} rows into "${scratch.name}" in ${span(Date.now() - began)}`);
    const hasKey = holdsKey(io);
    const failed = await checkRestored(scratchIo(io, scratch.url), hasKey);
    const lost = span(began - dataAsOf.getTime());
    const took = span(Date.now() - began);
    io.print(`RPO        ${lost}: newer rows come from the chain and the journal, or are lost`);
    io.print(`RTO        ${took}: from the empty database to the end of its checks`);
    const limit = hasKey ? '' : `, ${WITHOUT_KEYBOOK}`;
    io.print(failed.length === 0 ? `The drill is good${limit}.` : `The drill FAILED: ${failed.join(', ')}.`);
    return { failed, words: [`RPO ${lost}`, `RTO ${took}`, ...(hasKey ? [] : [WITHOUT_KEYBOOK])] };
  } finally {
    await scratch.drop();
  }
}

/** Whether the keybook can be opened here: beside a signer of its own only that process has the key. */
function holdsKey(io: Io): boolean {
  const { kek } = io.config();
  return kek !== null && kek.kind !== 'missing';
}

/** Names of the checks that failed, in their order; each prints its own lines. */
async function checkRestored(io: Io, hasKey: boolean): Promise<readonly string[]> {
  const failed: string[] = [];
  const check = async (name: string, work: () => Promise<number>): Promise<void> => {
    io.print(`-- ${name}`);
    try {
      if ((await work()) !== 0) failed.push(name);
    } catch (error) {
      // A failure of one check is its result; the next one still runs.
      if (!isAppError(error) && !(error instanceof OpsError)) throw error;
      io.print(error instanceof OpsError ? error.message : error.code);
      failed.push(name);
    }
  };
  // In the order of a restore: a wallet that is back is walked with the others.
  if (hasKey) await check('keybook', () => keybookRehearse(io));
  else io.print('-- keybook: not read, for no key is here; run the drill where the keys are, too');
  await check('reconcile', () => runReconcile(io, { accept: false }));
  await check('audit', () =>
    runAudit(io, { booksOnly: false, whole: false, head: [], witness: undefined, isOlder: true }),
  );
  return failed;
}

/** The same configuration over the scratch database. */
function scratchIo(io: Io, url: string): Io {
  const config: Config = { ...io.config(), databaseUrl: url };
  return { ...io, config: () => config, print: (line) => io.print(`           ${line}`) };
}

/** Whether the path is a folder. Throws UsageError where it cannot be read. */
async function readable(path: string): Promise<boolean> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new UsageError(
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  });
  return found.isDirectory();
}

async function identityOf(path: string): Promise<string> {
  try {
    return await readIdentity(path);
  } catch (error) {
    throw error instanceof OpsError ? new UsageError(error.message) : error;
  }
}

async function newestOf(folder: string): Promise<string> {
  const newest = await newestDump(folder);
  if (newest === null)
    throw new OpsError(`${folder} holds no dump. Make one: npm run ops -- dump-nightly ${folder} --once`);
  return newest.path;
}

/** `3.2 h`, `4.1 s`. */
function span(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
