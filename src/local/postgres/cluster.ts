import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
  const version = await readFile(join(input.data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) return await createCluster(input);
  if (version.trim() !== MAJOR) {
    throw new Error(
      `${input.data} was made by Postgres ${version.trim()}, and this is ${MAJOR}. ` +
        'Run "npm run reset" to start afresh (the local data is lost).',
    );
  }
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
  await rm(data, { recursive: true, force: true });
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
