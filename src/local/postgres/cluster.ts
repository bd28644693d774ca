import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from './binaries.ts';
import type { OsUser } from './os-user.ts';

const MAJOR = '18';
export const SUPERUSER = 'tradepost';

/** Makes `data` a database cluster unless it is one. Refuses one that another major version of Postgres made. */
export async function ensureCluster(input: {
  readonly native: string;
  readonly data: string;
  readonly password: string;
  readonly user: OsUser | null;
}): Promise<void> {
  const version = await versionOf(input.data);
  if (version === null) {
    await refuseRemains(input.data);
    return await createCluster(input);
  }
  if (version.trim() !== MAJOR) {
    throw new Error(
      `${input.data} was made by Postgres ${version.trim()}, and this is ${MAJOR}. ` +
        'Run "npm run reset" to start afresh (the local data is lost).',
    );
  }
}

/** Null where there is none. Throws when it cannot be read: a disk that answers nothing has not lost anything yet. */
async function versionOf(data: string): Promise<string | null> {
  try {
    return await readFile(join(data, 'PG_VERSION'), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return null;
    throw new Error(
      `${data} cannot be read (${String(code)}), and nothing was changed. Look at its disk and its owner.`,
      {
        cause: error,
      },
    );
  }
}

/** A folder that holds something and no version is a cluster that lost a file, or is no cluster. Neither is removed here. */
async function refuseRemains(data: string): Promise<void> {
  const left = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (left.length === 0) return;
  throw new Error(
    `${data} holds files and is no complete database (PG_VERSION is missing). Nothing was changed: move the folder aside, or run "npm run reset" to start afresh (the local data is lost).`,
  );
}

/** Built aside and renamed when complete: a start that was killed half-way leaves nothing that looks like a cluster. */
async function createCluster({
  native,
  data,
  password,
  user,
}: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) {
    await chown(fresh, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  try {
    await promisify(execFile)(
      program(native, 'initdb'),
      [
        `--pgdata=${fresh}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      // The server's user may not see this process's working directory.
      { cwd: fresh, env: { PATH: '/usr/bin:/bin' }, ...user },
    );
    await rename(fresh, data);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}
