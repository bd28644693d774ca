import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runLut } from '../../scripts/ops/lut.ts';
import { loadConfig } from '../../src/config.ts';
import { startLocalChain } from '../../src/local/chain/index.ts';
import { writeRunFile } from '../../src/local/run-file.ts';
import { createTestDatabase } from '../support/database.ts';

let dir: string;
let local: Awaited<ReturnType<typeof startLocalChain>>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lut-'));
  local = await startLocalChain({ slotMs: 20, seed: 'lut-ops', wsPort: null });
  writeRunFile(dir, {
    pid: process.pid,
    chatUrl: null,
    rpcUrl: local.rpcUrl,
    wsUrl: null,
    botApiUrl: null,
    openApiUrl: null,
    proApiUrl: null,
    databaseUrl: null,
  });
});
afterAll(async () => {
  await local.stop();
  await rm(dir, { recursive: true });
});

it('says what it would do, does it when told to, shows it, and takes it out of use', async () => {
  const config = loadConfig({ DATABASE_URL: await createTestDatabase(), LOCAL_DIR: dir });
  let lines: string[] = [];
  const lut = async (...args: string[]) => {
    lines = [];
    const code = await runLut(config, args, (line) => void lines.push(line));
    return { code, text: lines.join('\n') };
  };
  expect((await lut('list')).text).toContain('No lookup table is written down');

  const told = await lut('sync');
  expect(told.code).toBe(1);
  expect(told.text).toMatch(/^(\d+) entries to write: 1 new tables, 0 to extend\. Rent 0\.0\d+ SOL/);
  expect(told.text).toContain('Nothing was done');
  expect((await lut('list')).text).toContain('No lookup table is written down');

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
  [['sync', 'now'], 'Expected a base58 address'],
  [['sync', '--max', '0'], '--max takes a whole number from 1 to 1024'],
  [['sync', '--mint', 'PUP'], 'Expected a base58 address, not "PUP"'],
  [['close'], 'lut close ADDRESS'],
  [['burn'], 'lut sync'],
  [['sync', '--keypair', '/does/not/exist'], 'cannot be read'],
])('%j is answered with what was expected', async (args, expected) => {
  const config = loadConfig({ DATABASE_URL: await createTestDatabase(), LOCAL_DIR: dir });
  await expect(runLut(config, args, () => undefined)).rejects.toThrow(expected);
});
