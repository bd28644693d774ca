import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../../src/local/postgres/index.ts';
import { isAlive, readPostmaster } from '../../../src/local/postgres/postmaster-file.ts';

const MODULE = fileURLToPath(new URL('../../../src/local/postgres/index.ts', import.meta.url));
const WAIT = { timeout: 20_000, interval: 20 };

let folder: string;
let dir: string;
const running: LocalPostgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tradepost-pg-'));
  // Run as root, the server is another user, who must be able to walk here.
  await chmod(folder, 0o711);
  dir = join(folder, 'postgres');
});
afterEach(async () => {
  const pid = await dataPid();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const local of running.splice(0)) await local.stop();
  // A killed program's server shuts down by itself; its files must not vanish under it.
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<LocalPostgres> {
  const local = await startLocalPostgres({ dir });
  running.push(local);
  return local;
}

/** The same in a process of its own; resolves with its URL. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const script = `import { startLocalPostgres } from ${JSON.stringify(MODULE)};
    const local = await startLocalPostgres({ dir: ${JSON.stringify(dir)} });
    console.log(local.url);
    setInterval(() => {}, 1000);`;
  const file = join(folder, 'elsewhere.mts');
  await writeFile(file, script);
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', () => reject(new Error('the other process ended')));
  });
  return { child, url };
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows.map((row) => Object.values(row)[0])[0];
  } finally {
    await client.end();
  }
}

const dataPid = async (): Promise<number> => (await readPostmaster(join(dir, 'data')))?.pid ?? 0;

describe('the local Postgres', { timeout: 60_000 }, () => {
  it('is Postgres 18 on loopback, durable, with its data kept over a restart and no process left behind', async () => {
    const first = await start();
    expect(new URL(first.url).hostname).toBe('127.0.0.1');
    expect(await ask(first.url, 'SHOW server_version_num')).toMatch(/^18/);
    expect(await ask(first.url, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await ask(first.url, 'SHOW unix_socket_directories')).toBe('');
    expect(await ask(first.url, 'SHOW fsync')).toBe('on');
    expect(await ask(first.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(first.url, `SELECT lower('ÄЖ')`)).toBe('äж');
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS n');
    const pid = await dataPid();
    expect(isAlive(pid)).toBe(true);
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    await first.stop();

    const second = await start();
    expect(await ask(second.url, 'SELECT n FROM kept')).toBe(42);
  });

  it('lets nobody in without the password, which only its owner may read', async () => {
    const { url } = await start();
    expect((await stat(join(dir, 'password'))).mode & 0o777).toBe(0o600);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(new URL(url).password).toBe((await readFile(join(dir, 'password'), 'utf8')).trim());
  });

  it('stops by itself when its program is killed, and the next start finds everything that was committed', async () => {
    const { child, url } = await startElsewhere();
    await ask(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const pid = await dataPid();
    child.kill('SIGKILL');
    const next = await start();
    expect(await ask(next.url, 'SELECT n FROM kept')).toBe(7);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
  });

  it('refuses to share its folder with a program that is running', async () => {
    await startElsewhere();
    await expect(startLocalPostgres({ dir })).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      details: { cause: expect.stringMatching(/another Tradepost \(process \d+\) uses .*LOCAL_DIR/) },
    });
  });

  it('recovers from a crash of the server itself', async () => {
    const { child, url } = await startElsewhere();
    await ask(url, 'CREATE TABLE kept AS SELECT 9 AS n');
    const pid = await dataPid();
    // A signal to process 0 would end this one and its whole group.
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    const next = await start();
    expect(await ask(next.url, 'SELECT n FROM kept')).toBe(9);
  });

  it('ignores a pid file that names some other process', async () => {
    await (await start()).stop();
    const file = join(dir, 'data', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${join(dir, 'data')}\n1\n5432\n\n127.0.0.1\n\nready\n`);
    const next = await start();
    expect(await ask(next.url, 'SELECT 1')).toBe(1);
    expect(isAlive(process.pid)).toBe(true);
  });

  it('starts afresh after a first start that was cut short', async () => {
    await mkdir(join(dir, 'data.new'), { recursive: true });
    await writeFile(join(dir, 'data.new', 'PG_VERSION'), '18\n');
    const local = await start();
    expect(await ask(local.url, 'SELECT 1')).toBe(1);
    expect(await readdir(dir)).not.toContain('data.new');
  });

  it('removes no folder that holds files and no version', async () => {
    await mkdir(join(dir, 'data'), { recursive: true });
    await writeFile(join(dir, 'data', 'wallets'), 'a key');
    await expect(startLocalPostgres({ dir })).rejects.toMatchObject({
      details: { cause: expect.stringMatching(/is no complete database .* Nothing was changed/) },
    });
    expect(await readFile(join(dir, 'data', 'wallets'), 'utf8')).toBe('a key');
  });

  it('names the mend for data of another major version', async () => {
    await mkdir(join(dir, 'data'), { recursive: true });
    await writeFile(join(dir, 'data', 'PG_VERSION'), '16\n');
    await expect(startLocalPostgres({ dir })).rejects.toMatchObject({
      details: { cause: expect.stringMatching(/made by Postgres 16, and this is 18.*npm run reset/) },
    });
  });

  it('names the mend for damaged data', async () => {
    await (await start()).stop();
    await writeFile(join(dir, 'data', 'global', 'pg_control'), 'damaged');
    await expect(startLocalPostgres({ dir })).rejects.toMatchObject({
      details: { cause: expect.stringMatching(/does not start: .*npm run reset/) },
    });
  });

  it.runIf(process.getuid?.() === 0)(
    'runs where its own user may not walk, and keeps what a folder left that is moved away and back',
    async () => {
      await chmod(folder, 0o700);
      const local = await start();
      await ask(local.url, 'CREATE TABLE kept AS SELECT 1 AS n');
      const home = join(String(await ask(local.url, 'SHOW data_directory')), '..');
      expect(home.startsWith('/var/lib/tradepost-')).toBe(true);
      await local.stop();
      await rename(dir, `${dir}-away`);
      try {
        // Another folder starts meanwhile, and a new one in its place does not.
        await expect(startLocalPostgres({ dir })).rejects.toMatchObject({
          details: { cause: expect.stringContaining(`local orphans --aside ${basename(home)}`) },
        });
        await rm(dir, { recursive: true });
        await rename(`${dir}-away`, dir);
        const back = await start();
        expect(await ask(back.url, 'SELECT n FROM kept')).toBe(1);
        await back.stop();
      } finally {
        await rm(home, { recursive: true });
      }
    },
  );
});
