import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverUser } from '../../src/local/postgres/os-user.ts';
import { freePort } from '../support/free-port.ts';
import { asks, debianPostgres, type Pair, startPair, until } from './postgres-pair.ts';

const script = fileURLToPath(new URL('../../deploy/compose/standby.sh', import.meta.url));
const bin = debianPostgres();
if (bin === null && process.env['REQUIRE_ALL'] === '1')
  throw new Error('REQUIRE_ALL=1, but Debian’s Postgres is missing');
const run = promisify(execFile);
const PASSWORD = "it's \\ a pass";

let folder: string;
let pair: Pair;
const children: ChildProcess[] = [];

/** The script of host B with Debian's server in the place of the image's entry. */
async function startStandby(port: number): Promise<ChildProcess> {
  const account = await serverUser();
  const child = spawn('bash', [script], {
    cwd: folder,
    env: {
      PATH: `${bin}:/usr/bin:/bin`,
      LC_ALL: 'C.UTF-8',
      PGDATA: join(folder, 'b'),
      PRIMARY_HOST: '127.0.0.1',
      PRIMARY_PORT: new URL(pair.primary.superUrl).port,
      STANDBY_PASSWORD_FILE: join(folder, 'password'),
      POSTGRES_ENTRYPOINT: join(folder, 'entry.sh'),
      STANDBY_PORT: String(port),
    },
    stdio: 'inherit',
    ...account,
  });
  children.push(child);
  return child;
}

describe.skipIf(bin === null)('deploy/compose/standby.sh', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'standby-script-'));
    chmodSync(folder, 0o755);
    pair = await startPair(join(folder, 'pair'), { monitor: true });
    const account = await serverUser();
    const own = (path: string): void => {
      if (account !== null) chownSync(path, account.uid, account.gid);
    };
    writeFileSync(join(folder, 'password'), PASSWORD, { mode: 0o600 });
    writeFileSync(
      join(folder, 'entry.sh'),
      '#!/bin/sh\n[ "$1" = postgres ] || exit 9\nexec postgres -D "$PGDATA" -p "$STANDBY_PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories=\n',
      { mode: 0o755 },
    );
    mkdirSync(join(folder, 'b'), { mode: 0o700 });
    for (const name of ['password', 'entry.sh', 'b']) own(join(folder, name));
    // No way in but the one that the script makes.
    const rules = join(pair.primary.data, 'pg_hba.conf');
    const others = readFileSync(rules, 'utf8')
      .split('\n')
      .filter((line) => !/^host\s+replication/.test(line));
    writeFileSync(rules, others.join('\n'));
    // By the script of host A, as the image runs it once.
    await run('bash', [fileURLToPath(new URL('../../deploy/compose/primary.sh', import.meta.url))], {
      env: {
        PATH: `${bin}:/usr/bin:/bin`,
        PGDATA: pair.primary.data,
        POSTGRES_USER: 'postgres',
        POSTGRES_DB: 'postgres',
        STANDBY_PASSWORD_FILE: join(folder, 'password'),
        PGHOST: '127.0.0.1',
        PGPORT: new URL(pair.primary.superUrl).port,
      },
    });
    await asks(pair.primary.superUrl, 'SELECT pg_reload_conf()');
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await pair?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('copies the primary once, follows it by its own role, and starts on its copy the next time', async () => {
    const port = await freePort();
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    const first = await startStandby(port);
    await until(async () => (await asks(url, 'SELECT pg_is_in_recovery() AS r'))[0]?.['r'] === true);
    await asks(pair.primary.superUrl, 'CREATE TABLE seen AS SELECT 1 AS n');
    await until(async () => (await asks(url, 'SELECT n FROM seen'))[0]?.['n'] === 1);
    expect(
      await asks(pair.primary.superUrl, 'SELECT usename, application_name FROM pg_stat_replication'),
    ).toEqual([{ usename: 'tp_standby', application_name: 'b' }]);

    const ended = new Promise<void>((resolve) => first.once('exit', () => resolve()));
    first.kill('SIGINT');
    await ended;
    await startStandby(port);
    await asks(pair.primary.superUrl, 'INSERT INTO seen VALUES (2)');
    await until(async () => (await asks(url, 'SELECT count(*)::int AS c FROM seen'))[0]?.['c'] === 2);
  }, 120_000);
});
