import { randomBytes } from 'node:crypto';
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error.ts';
import { CorruptRowError, jsonReader } from '../../engine/intents/rules/json-reader.ts';

/** How often a holder shows that it lives, and how long one that does not is waited for. */
const BEAT_MS = 500;
const PATIENCE_MS = 2_500;

type Holder = { readonly pid: number; readonly host: string; readonly token: string };

/** Locks that this process holds: after a crash the number of a process may come again. */
const held = new Set<string>();

/**
 * Makes this process the only one that writes into a folder, over containers and network disks too. A holder that died lets go: at once
 * where that can be seen, else when it has shown no sign of life for some seconds. Throws JOURNAL_TAKEN. The length of the file shows a
 * process that sleeps past its lock and writes on.
 */
export async function lockFolder(folder: string): Promise<{ readonly release: () => Promise<void> }> {
  const path = join(folder, 'lock');
  const own: Holder = { pid: process.pid, host: hostname(), token: randomBytes(12).toString('base64url') };
  while (!(await take(path, own))) {
    const other = await holderOf(path);
    if (other === null) continue;
    if (await lives(path, other)) {
      throw new AppError('JOURNAL_TAKEN', {
        cause: `process ${other.pid} on ${other.host} writes ${folder}: only one signer may`,
      });
    }
    await removeStale(path, other);
  }
  held.add(own.token);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(beat);
      held.delete(own.token);
      const last = await holderOf(path);
      if (last?.token === own.token) await unlink(path).catch(() => undefined);
    },
  };
}

async function take(path: string, own: Holder): Promise<boolean> {
  // Written first and linked then: a lock is never seen half written.
  const draft = `${path}.${own.token}`;
  await writeFile(draft, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** Null when it has no holder, or the file is no lock. */
async function holderOf(path: string): Promise<Holder | null> {
  try {
    const found = jsonReader(JSON.parse(await readFile(path, 'utf8')), 'lock');
    return { pid: found.integer('pid'), host: found.text('host'), token: found.text('token') };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (error instanceof CorruptRowError || error instanceof SyntaxError)
      return { pid: 0, host: 'an unknown host', token: '' };
    throw error;
  }
}

async function lives(path: string, { pid, host, token }: Holder): Promise<boolean> {
  if (host === hostname() && pid !== 0) {
    if (pid === process.pid) return held.has(token);
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (isCode(error, 'ESRCH')) return false;
    }
  }
  const first = await touchedAt(path);
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    await pause(100);
    if ((await touchedAt(path)) !== first) return true;
  }
  return false;
}

async function touchedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => -1,
  );
}

/** Moves the stale lock aside and checks the moved file: between two who do this one may have moved the other's fresh one. */
async function removeStale(path: string, stale: Holder): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('base64url')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await holderOf(aside);
  if (moved !== null && moved.token !== stale.token) await link(aside, path).catch(() => undefined);
  await unlink(aside);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
