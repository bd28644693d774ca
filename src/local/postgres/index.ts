import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error.ts';
import { copyBinaries, findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { homeOf } from './elsewhere.ts';
import { canReach, type OsUser, serverUser } from './os-user.ts';
import { isAlive, isPostgres, readPostmaster } from './postmaster-file.ts';
import { clearLeftover, runServer } from './server.ts';

/** Enough for all processes of one product. */
const CONNECTIONS = 60;

export type LocalPostgres = { readonly url: string; stop(): Promise<void> };

/**
 * A real Postgres 18 for one machine, from npm, with its data in `dir`. Afterwards it accepts connections on a free port of
 * 127.0.0.1 with a random password kept beside the data (mode 0600). It stops with `stop()` and also when this process is
 * killed. Throws DATABASE_UNREACHABLE with one sentence that names the mend. One process per `dir` at a time.
 */
export async function startLocalPostgres(options: {
  readonly dir: string;
  readonly log?: (line: string) => void;
  /** The most at once; 60 unless set. */
  readonly connections?: number;
}): Promise<LocalPostgres> {
  try {
    const { log = () => undefined, connections = CONNECTIONS } = options;
    return await start(resolve(options.dir), log, connections);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Postgres's own programs name a full disk by their output alone.
    const isFull = message.includes('No space left on device');
    const cause = isFull
      ? `the disk of ${resolve(options.dir)} is full. Make room there, or name another folder in LOCAL_DIR.`
      : message;
    throw new AppError('DATABASE_UNREACHABLE', { cause }, { cause: error });
  }
}

async function start(dir: string, log: (line: string) => void, connections: number): Promise<LocalPostgres> {
  await mkdir(dir, { recursive: true });
  const user = await serverUser();
  const binaries = await findBinaries();
  const password = await keptSecret(join(dir, 'password'));
  const { home, native } = await place(dir, binaries, user, password);
  const data = join(home, 'data');

  const ownerFile = join(dir, 'owner.pid');
  await refuseSecondOwner(dir, data, ownerFile);
  await clearLeftover(native, data, user);
  await writeFile(ownerFile, `${process.pid}\n`);

  const startedAt = performance.now();
  await ensureCluster({ native, data, password, user });
  const logFile = join(dir, 'server.log');
  const server = await runServer({ native, data, logFile, user, connections }).catch((error: Error) => {
    throw new Error(
      `${error.message.replace(/\.?$/, '.')} Its log is ${logFile}. ` +
        'If the data is damaged, run "npm run reset" to start afresh (the local data is lost).',
      { cause: error },
    );
  });
  log(`Postgres ready on 127.0.0.1:${server.port} after ${Math.round(performance.now() - startedAt)} ms`);

  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${server.port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(ownerFile, { force: true });
    },
  };
}

/**
 * Where data and binaries live: beside `dir`, unless this is root and the server's user cannot walk there. Then the data goes to a folder
 * under /var/lib that is tied to `dir` by its password. So do binaries that are out of reach too (a checkout under /root). Nothing there is
 * ever removed by itself: `homeOf` says why.
 */
async function place(
  dir: string,
  binaries: string,
  user: OsUser | null,
  password: string,
): Promise<{ readonly home: string; readonly native: string }> {
  const canRun = !user || (await canReach(user, join(binaries, 'bin')));
  if (!user || (canRun && (await canReach(user, dir)))) return { home: dir, native: binaries };
  const home = await homeOf(dir, password);
  // 60 MB: copied only where the server's user cannot walk to them either.
  return { home, native: canRun ? binaries : await copyBinaries(binaries, join(home, 'server')) };
}

/**
 * Two programs on one folder would stop each other's server; the second gets an error that says so. It first waits a little: an owner that
 * was just killed may still be in the process table while its server shuts down.
 */
async function refuseSecondOwner(dir: string, data: string, ownerFile: string): Promise<void> {
  const owner = Number(await readFile(ownerFile, 'utf8').catch(() => '0'));
  for (const deadline = Date.now() + 3_000; ; await sleep(25)) {
    if (owner === process.pid || !isAlive(owner)) return;
    const postmaster = await readPostmaster(data);
    if (!postmaster || !(await isPostgres(postmaster.pid))) return;
    if (Date.now() > deadline) break;
  }
  throw new Error(
    `another Tradepost (process ${owner}) uses ${dir}. Stop it, or set LOCAL_DIR to another folder.`,
  );
}

/** Letters and digits only, so that it needs no escaping in a URL. */
async function keptSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept?.trim()) return kept.trim();
  const secret = randomBytes(24).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
