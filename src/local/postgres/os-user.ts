import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export type OsUser = { readonly uid: number; readonly gid: number };

/**
 * Postgres refuses to run as root. As root the server runs as `postgres` where that user exists and else as `nobody`, which
 * every system has: no user is ever created. Null when this process is not root, and runs the server itself.
 */
export async function serverUser(): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const fields = users
      .split('\n')
      .map((line) => line.split(':'))
      .find(([user]) => user === name);
    const uid = Number(fields?.[2]);
    const gid = Number(fields?.[3]);
    if (Number.isInteger(uid) && Number.isInteger(gid) && uid > 0) return { uid, gid };
  }
  throw new Error(
    'Postgres cannot run as root, and there is no user "postgres" or "nobody". Run as another user.',
  );
}

/** Whether `user` may walk down to `path`: a checkout under /root is closed to all others. */
export async function canReach(user: OsUser, path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const info = await stat(folder).catch(() => null);
    if (info) {
      const bit = info.uid === user.uid ? 0o100 : info.gid === user.gid ? 0o010 : 0o001;
      if ((info.mode & bit) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}
