import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { storedPerson } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ops-db-'));
});
afterAll(() => rm(dir, { recursive: true }));

const env = (url?: string) => ({
  // The commands that need a key ask for it before they open anything.
  KEK: 'ab'.repeat(32),
  LOCAL_DIR: join(dir, 'nothing'),
  ...(url === undefined ? {} : { DATABASE_URL: url }),
});

async function foreignDatabase(): Promise<string> {
  const url = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE wallets (id text); CREATE TABLE shop_orders (id text)');
  await client.end();
  return url;
}

async function tablesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  await client.end();
  return rows[0]?.count ?? -1;
}

describe('ops never reports success on a database that it should not be talking to', () => {
  const commands = () => [
    ['dump', join(dir, 'x.dump')],
    ['audit', '--books-only'],
    ['reconcile'],
    ['kek', 'status'],
    ['kek', 'rotate'],
  ];
  const looks = [
    ['api-key', 'list'],
    ['points', 'abuse'],
    ['convert', 'list'],
    ['referrals', 'flags'],
    ['lut', 'list'],
    ['verify-game', 'x'],
    ['second-factor', 'end', '1'],
  ];

  it('without DATABASE_URL it says what is missing and starts nothing', async () => {
    for (const args of [...commands(), ...looks, ['restore', join(dir, 'x.dump')]]) {
      const { code, out } = await runOpsHere(args, env());
      expect([args, code]).toEqual([args, 2]);
      expect(out).toMatch(
        /^There is no database: DATABASE_URL is not set \(there is no \.env .* add --local/,
      );
    }
    expect(existsSync(join(dir, 'nothing'))).toBe(false);
  });

  it('--local opens no database that nobody made', async () => {
    const { code, out } = await runOpsHere(['dump', join(dir, 'y.dump'), '--local'], env());
    expect([code, out]).toEqual([1, expect.stringContaining('There is no embedded database in ')]);
    expect(existsSync(join(dir, 'nothing'))).toBe(false);
    expect(existsSync(join(dir, 'y.dump'))).toBe(false);
  });

  it('refuses an empty one and leaves it empty', async () => {
    const url = await createEmptyDatabase();
    for (const args of [...commands(), ...looks]) {
      const { code, out } = await runOpsHere(args, env(url));
      expect([args, code, out]).toEqual([args, 1, expect.stringContaining('it is empty')]);
    }
    expect(await tablesOf(url)).toBe(0);
    expect(existsSync(join(dir, 'x.dump'))).toBe(false);
  });

  it("refuses somebody else's and leaves it alone, restore --replace too", async () => {
    const url = await foreignDatabase();
    await writeFile(join(dir, 'some.dump'), 'x');
    for (const args of [...commands(), ...looks, ['restore', join(dir, 'some.dump'), '--replace']]) {
      const { code, out } = await runOpsHere(args, env(url));
      expect([args, code, out]).toEqual([args, 1, expect.stringContaining('not those of a Tradepost')]);
    }
    expect(await tablesOf(url)).toBe(2);
  });

  it('refuses to dump or audit one that no service ever used, and says which one it is', async () => {
    const url = await createTestDatabase();
    for (const args of commands()) {
      const { code, out, notes } = await runOpsHere(args, env(url));
      expect([args, code, out]).toEqual([args, 1, expect.stringContaining('no service ever ran on it')]);
      expect(notes).toEqual([
        expect.stringMatching(/^database "tradepost_test_\w+" at [^@]+ \(DATABASE_URL\)$/),
      ]);
    }
    const db = await createPrismaDatabase({ url });
    await storedPerson(db);
    await db.close();
    expect((await runOpsHere(['dump', join(dir, 'used.dump')], env(url))).code).toBe(0);
    expect((await runOpsHere(['audit', '--books-only'], env(url))).code).toBe(0);
  });
});

describe('.env', () => {
  const run = (cwd: string, more: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly code: number | null; readonly text: string }>((resolve) => {
      const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
      const child = spawn(
        process.execPath,
        ['--import', at('scripts/register.mjs'), at('scripts/ops.ts'), 'api-key', 'list'],
        {
          cwd,
          env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', ...more },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
      child.once('close', (code) => resolve({ code, text }));
    });

  it('is read where it lies, gives way to the environment, and its absence is told', async () => {
    const [here, nowhere] = [join(dir, 'with'), join(dir, 'without')];
    await Promise.all([mkdir(here), mkdir(nowhere)]);
    const [inFile, inEnvironment] = [await createTestDatabase(), await createTestDatabase()];
    await writeFile(join(here, '.env'), `DATABASE_URL=${inFile}\n`);
    const name = (url: string) => new URL(url).pathname.slice(1);
    const [read, given, absent] = await Promise.all([
      run(here),
      run(here, { DATABASE_URL: inEnvironment }),
      run(nowhere),
    ]);
    expect(read).toEqual({ code: 0, text: expect.stringContaining(name(inFile)) });
    expect(given).toEqual({ code: 0, text: expect.stringContaining(name(inEnvironment)) });
    expect(absent).toEqual({ code: 2, text: expect.stringContaining('there is no .env in this folder') });
  });
});
