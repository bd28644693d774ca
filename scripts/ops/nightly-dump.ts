import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dumpDatabase } from '../../src/platform/db/dump.ts';
import type { Io } from './command.ts';
import { openDatabaseUrl } from './open.ts';
import { OpsError } from './ops-error.ts';
import { duration, wholeNumber } from './read-values.ts';

const HOUR_MS = 3_600_000;
/** A day and two hours: a dump that took long, or a machine that started late, is no alarm. */
const ALARM_AGE = '26h';
const LOOK_MS = 15 * 60_000;
const NAME = /^tradepost-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.dump(\.age)?$/;

/** Dumps of a folder, newest first. Files of other names belong to others and are never touched. */
async function dumpsIn(folder: string): Promise<readonly { readonly path: string; readonly at: number }[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const dumps = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  return dumps.toSorted((a, b) => b.at - a.at);
}

/** The newest dump of a folder with the moment it was finished, in epoch milliseconds; null = there is none. */
export async function newestDump(
  folder: string,
): Promise<{ readonly path: string; readonly at: number } | null> {
  return (await dumpsIn(folder))[0] ?? null;
}

/** Says how old the newest dump is; 1, with a line on standard error, when it is older than `maxAge` or there is none. */
export async function checkDumps(io: Io, folder: string, maxAge = ALARM_AGE): Promise<number> {
  const hours = duration('--max-age', maxAge) / HOUR_MS;
  const [newest] = await dumpsIn(folder).catch((cause: unknown) => {
    throw new OpsError(
      `${folder} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  });
  if (newest === undefined) {
    io.note(`ALERT no backup: ${folder} holds no dump.`);
    return 1;
  }
  const age = (Date.now() - newest.at) / HOUR_MS;
  if (age > hours) {
    io.note(`ALERT the newest backup is ${age.toFixed(1)} hours old: ${newest.path}.`);
    return 1;
  }
  io.print(`The newest backup is ${age.toFixed(1)} hours old: ${newest.path}.`);
  return 0;
}

/**
 * Makes an encrypted dump once a day, keeps the newest `keep` of them, and goes on for ever. A failure is printed and tried again in a
 * quarter of an hour; an alert line comes when the newest dump is older than a day and two hours.
 */
export async function runNightlyDump(
  io: Io,
  folder: string,
  values: { readonly to: string | undefined; readonly keep: string | undefined; readonly once: boolean },
): Promise<number> {
  const keep = wholeNumber('--keep', values.keep, { min: 1, max: 1_000, fallback: 14 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const [newest] = await dumpsIn(folder);
    if (newest === undefined || values.once || Date.now() - newest.at >= 24 * HOUR_MS) {
      const failed = await dumpOnce(io, folder, values.to ?? null);
      if (values.once && failed) return 1;
      for (const old of (await dumpsIn(folder)).slice(keep)) await unlink(old.path);
    }
    if (values.once) return 0;
    await checkDumps(io, folder);
    await wait(LOOK_MS);
  }
}

/** True when it failed; the error is printed. */
async function dumpOnce(io: Io, folder: string, recipient: string | null): Promise<boolean> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, `tradepost-${stamp}.dump${recipient === null ? '' : '.age'}`);
  try {
    const { url, close } = await openDatabaseUrl(io, 'in-use');
    try {
      const { tables, rows } = await dumpDatabase({ url, path, recipient });
      io.print(`${rows} rows of ${tables} tables are in ${path}.`);
    } finally {
      await close();
    }
    return false;
  } catch (error) {
    io.note(`ALERT the backup failed: ${error instanceof Error ? error.message : String(error)}`);
    return true;
  }
}
