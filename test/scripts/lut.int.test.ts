import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDeskChain } from '../../src/local/desk/index.ts';
import { writeRunFile } from '../../src/local/run-file.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';

let dir: string;
let url: string;
let local: Awaited<ReturnType<typeof startDeskChain>>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lut-'));
  url = await createTestDatabase();
  local = await startDeskChain({ slotMs: 20, seed: 'lut-ops', wsPort: null });
  writeRunFile(dir, {
    pid: process.pid,
    chatUrl: null,
    rpcUrl: local.rpcUrl,
    wsUrl: null,
    botApiUrl: null,
    openApiUrl: null,
    proApiUrl: null,
    chartUrl: null,
    // Of this world, so that its chain's faucet may pay.
    databaseUrl: url,
    mailUrl: null,
    smtpUrl: null,
  });
});
afterAll(async () => {
  await local.stop();
  await rm(dir, { recursive: true });
});

it('says what it would do, does it when told to, shows it, and takes it out of use', async () => {
  const env = { DATABASE_URL: url, LOCAL_DIR: dir };
  const lut = async (...args: string[]) => {
    const { code, out } = await runOpsHere(['lut', ...args], env);
    return { code, text: out.trimEnd() };
  };
  expect((await lut('list')).text).toContain('No lookup table is written down');

  const told = await lut('sync');
  expect(told.code).toBe(1);
  expect(told.text).toMatch(/^(\d+) entries to write: 1 new tables, 0 to extend\. Rent 0\.0\d+ SOL/);
  expect(told.text).toContain('Nothing was done');
  expect((await lut('list')).text).toContain('No lookup table is written down');
  expect(told.text).toContain('paid by a key that --yes makes');
  await expect(access(join(dir, 'lookup-table-key.json')), 'a plan writes no key').rejects.toThrow('ENOENT');

  const done = await lut('sync', '--yes');
  expect(done.text).toContain('Every entry may be used.');
  expect(done.code).toBe(0);
  const count = /^(\d+) entries/.exec(done.text)?.[1];
  const listed = await lut('list');
  expect(listed.text).toMatch(new RegExp(`usable  ${count} entries  0\\.0\\d+ SOL`));
  expect(await lut('sync')).toMatchObject({ code: 0, text: expect.stringMatching(/^0 entries to write/) });
  expect(await lut('close', '--unused')).toMatchObject({ code: 0, text: 'Every table is in use.' });

  // A key as solana-keygen writes it, that only its owner reads.
  expect(JSON.parse(await readFile(join(dir, 'lookup-table-key.json'), 'utf8'))).toHaveLength(64);

  const [table = ''] = listed.text.split(' ');
  expect((await lut('close', table)).text).toContain('is out of use');
  expect((await lut('list')).text).toContain('closing');
  expect((await lut('close', table)).text).toContain('can be closed in');
});

it.each([
  [['sync', 'now'], 2, 'lut sync: expected no further word, not also "now"'],
  [['sync', '--max', '0'], 2, '--max: expected a whole number from 1 to 1024, not "0"'],
  [['sync', '--mint', 'PUP'], 2, '--mint: expected a base58 address, not "PUP"'],
  [['close'], 2, 'expected an ADDRESS or --unused'],
  [['burn'], 2, 'lut: expected "sync" or "list" or "close", not "burn"'],
  [['sync', '--keypair', '/does/not/exist'], 1, 'cannot be read'],
])('%j ends with %i and what was expected', async (args, code, expected) => {
  const env = { DATABASE_URL: url, LOCAL_DIR: dir };
  const ended = await runOpsHere(['lut', ...args], env);
  expect(ended).toMatchObject({ code, out: expect.stringContaining(expected) });
});
