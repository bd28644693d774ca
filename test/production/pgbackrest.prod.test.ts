import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { serverUser } from '../../src/local/postgres/os-user.ts';
import { asks, debianPostgres, type Pair, startPair, until } from './postgres-pair.ts';

const PROGRAM = '/usr/bin/pgbackrest';
const canTry = existsSync(PROGRAM) && debianPostgres() !== null;
const recipe = (file: string): string =>
  readFileSync(new URL(`../../deploy/pgbackrest/${file}`, import.meta.url), 'utf8');

let pair: Pair | null = null;
let folder: string | null = null;
afterAll(async () => {
  await pair?.stop();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!canTry)('the recipe of deploy/pgbackrest', () => {
  it('brings back the moment that is named, from a ciphered repository, into an empty folder', async () => {
    const account = await serverUser();
    folder = await mkdtemp(join(tmpdir(), 'pgbackrest-'));
    const at = (name: string) => join(folder ?? '', name);
    const own = (path: string) => account !== null && chownSync(path, account.uid, account.gid);
    own(folder);
    for (const name of ['repo', 'spool', 'log', 'sockets', 'restored']) {
      mkdirSync(at(name), { mode: 0o700 });
      own(at(name));
    }
    const config = at('pgbackrest.conf');
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
    const pgbackrest = (...args: readonly string[]) =>
      promisify(execFile)(PROGRAM, [`--config=${config}`, '--stanza=tradepost', ...args], {
        cwd: folder ?? '/',
        env,
        ...account,
      });
    const settings = recipe('postgresql.conf').replace("'pgbackrest ", `'${PROGRAM} --config=${config} `);
    const started = await startPair(at('cluster'), {
      monitor: false,
      sockets: at('sockets'),
      settings: [settings],
    });
    pair = started;
    const { primary } = started;
    const written = recipe('pgbackrest.conf')
      .replace('/var/lib/pgbackrest', at('repo'))
      .replace('/var/spool/pgbackrest', at('spool'))
      .replace('/var/log/pgbackrest', at('log'))
      .replace('CHANGE-ME', 'a passphrase of the test alone')
      .replace(/pg1-path=.*/, `pg1-path=${primary.data}`)
      .replace(/pg1-socket-path=.*/, `pg1-socket-path=${at('sockets')}\npg1-user=postgres`)
      .replace(/pg1-port=.*/, `pg1-port=${new URL(primary.url).port}`);
    writeFileSync(config, written, { mode: 0o640 });
    own(config);

    await pgbackrest('stanza-create');
    await pgbackrest('check');
    await asks(primary.url, "CREATE TABLE paid (note text); INSERT INTO paid VALUES ('before the backup')");
    await pgbackrest('backup', '--type=full');
    await asks(primary.url, "INSERT INTO paid VALUES ('after the backup')");
    // It looks for a backup that ended in a second before the one that is named.
    await asks(primary.superUrl, 'SELECT pg_sleep(2)');
    const [moment] = await asks(primary.superUrl, 'SELECT clock_timestamp()::text AS at');
    await asks(primary.url, "INSERT INTO paid VALUES ('after the moment')");
    const [wal] = await asks(primary.superUrl, 'SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until(async () => {
      const [row] = await asks(primary.superUrl, 'SELECT last_archived_wal AS name FROM pg_stat_archiver');
      return String(row?.['name'] ?? '') >= String(wal?.['name']);
    });
    await primary.kill();

    await pgbackrest(
      'restore',
      '--type=time',
      `--target=${String(moment?.['at'])}`,
      '--target-action=promote',
      '--archive-mode=off',
      `--pg1-path=${at('restored')}`,
    );
    const restored = await started.open(at('restored'), 'restored');
    await until(
      async () => (await asks(restored.superUrl, 'SELECT pg_is_in_recovery() AS r'))[0]?.['r'] === false,
    );
    expect(await asks(restored.url, 'SELECT note FROM paid ORDER BY note')).toEqual([
      { note: 'after the backup' },
      { note: 'before the backup' },
    ]);
    // Two clusters that write into one repository spoil it: the restored one keeps out until it is chosen.
    expect(await asks(restored.superUrl, 'SHOW archive_mode')).toEqual([{ archive_mode: 'off' }]);
  });
});
