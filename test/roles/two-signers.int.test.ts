import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskChain, startDeskChain } from '../../src/local/desk/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { elsewhereOf } from '../support/elsewhere.ts';
import { freePort } from '../support/free-port.ts';
import { hasOpenssl, makeCerts } from '../support/signer-certs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KILLS = 3;
const PEOPLE = 4;
/** Processes start and work beside other work of this machine. */
const LONG = 90_000;

type Name = 'a' | 'b';
const NAMES = ['a', 'b'] as const;

let folder: string;
let chain: DeskChain;
let telegram: LocalTelegram;
let databaseUrl: string;
let witness: pg.Client;
let kekFile: string;
const ports = new Map<Name, number>();
const tls = new Map<string, Record<string, string>>();
const children = new Map<string, ChildProcess>();
const said = new Map<string, string>();

const placeOf = (name: Name) => `tls://127.0.0.1:${ports.get(name)}`;

async function start(name: string, script: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['--import', './scripts/register.mjs', ...script], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LOCAL_DIR: folder,
      DATABASE_URL: databaseUrl,
      SOLANA_RPC_URL: chain.rpcUrl,
      API_PORT: '0',
      PRO_API_PORT: '0',
      HOT_POOLS: '0',
      // The people here type faster than people can.
      CHAT_UPDATES: '1000',
      LOG_LEVEL: 'error',
      ...tls.get(name),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.set(name, child);
  said.set(name, '');
  const hear = (text: string): void => void said.set(name, `${said.get(name) ?? ''}${text}`);
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  while (!/ready/i.test(said.get(name) ?? '')) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said.get(name)}`);
    await pause(50);
  }
}

/** By the real entry, as the container starts it. */
const startSigner = (name: Name): Promise<void> =>
  start(name, ['src/main.ts'], {
    ROLES: 'signer',
    KEK_FILE: kekFile,
    JOURNAL_DIR: join(folder, `journal-${name}`),
    SIGNER_LISTEN: placeOf(name),
    SIGNER_PEERS: placeOf(name === 'a' ? 'b' : 'a'),
  });

async function killed(name: string): Promise<void> {
  const child = children.get(name);
  const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()));
  child?.kill('SIGKILL');
  await ended;
}

async function lease(): Promise<{ readonly holder: Name; readonly level: readonly Name[] } | undefined> {
  const { rows } = await witness.query<{ holder: Name; level: Name[] }>(
    'SELECT holder, level FROM signer_lease',
  );
  return rows[0];
}

beforeAll(async () => {
  if (!hasOpenssl) return;
  folder = await mkdtemp(join(tmpdir(), 'two-signers-'));
  kekFile = join(folder, 'kek');
  await writeFile(kekFile, randomBytes(32).toString('hex'), { mode: 0o400 });
  for (const name of NAMES) ports.set(name, await freePort());
  for (const [name, roles] of [
    ['a', 'signer'],
    ['b', 'signer'],
    ['worker', 'worker'],
    ['bot', 'bot'],
  ] as const) {
    const { cert, key, ca } = await makeCerts(join(folder, 'certs'), name, '127.0.0.1', roles);
    tls.set(name, { SIGNER_TLS_CERT: cert, SIGNER_TLS_KEY: key, SIGNER_TLS_CA: ca });
  }
  [chain, telegram, databaseUrl] = await Promise.all([
    startDeskChain({ slotMs: 50, seed: 'two-signers', wsPort: null }),
    startLocalTelegram({}),
    createTestDatabase(),
  ]);
  witness = new pg.Client({ connectionString: databaseUrl });
  await witness.connect();
  const elsewhere = JSON.stringify(elsewhereOf(chain, telegram));
  await startSigner('a');
  await startSigner('b');
  await Promise.all(
    ['worker', 'bot'].map((role) =>
      start(role, ['test/support/role-process.ts', elsewhere], {
        ROLES: role,
        // The standby first: it sends its callers on.
        SIGNER_URLS: `${placeOf('b')},${placeOf('a')}`,
      }),
    ),
  );
}, 180_000);
afterAll(async () => {
  for (const name of children.keys()) if (children.get(name)?.exitCode === null) await killed(name);
  await witness?.end();
  await telegram?.stop();
  await chain?.stop();
  if (hasOpenssl) await rm(folder, { recursive: true, force: true });
});

async function rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: T }).result;
}

async function trader(id: number): Promise<Person> {
  const person = await createPerson({ core: telegram.core, user: { id, first_name: `Trader ${id}` } });
  await person.start();
  await person.waitFor(/Welcome/, { timeoutMs: LONG });
  await person.tap('Create Deposit Wallet');
  await person.waitFor(/deposit wallet is ready/, { timeoutMs: LONG });
  const { rows } = await witness.query<{ address: string }>(
    'SELECT w.address FROM wallets w JOIN users u ON u.id = w.user_id WHERE u.telegram_id = $1',
    [id],
  );
  await rpc('requestAirdrop', [rows[0]?.address ?? '', 5_000_000_000]);
  return person;
}

async function askToBuy(person: Person, n: number): Promise<void> {
  const tokens = chain.world.tokens.filter(({ symbol }) => ['PUP', 'CAT', 'SOAP'].includes(symbol));
  const token = tokens[n % tokens.length];
  await person.say(token?.mint ?? '');
  await person.waitFor(
    (text, message) => /\n\S+( SOL)? · cap /.test(text) && message.reply_markup !== undefined,
    {
      timeoutMs: LONG,
    },
  );
  await person.tap('🟢 0.1');
  await person.waitFor(/You get about/, { timeoutMs: LONG });
}

describe.skipIf(!hasOpenssl)('two signers of real processes', () => {
  it('go on from one to the other when the one that signs is killed, and each trade ends once', async () => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => trader(9_100 + n)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      // A signer that came back has every line before the next one is killed.
      await expect.poll(async () => (await lease())?.level.length, { timeout: LONG }).toBe(1);
      const holder = (await lease())?.holder ?? 'a';
      for (const [n, person] of people.entries()) await askToBuy(person, n);
      const taps = people.map((person) => person.tap('Confirm buy'));
      await pause(40 * kill);
      await killed(holder);
      await Promise.all(taps);
      await expect.poll(async () => (await lease())?.holder, { timeout: LONG }).not.toBe(holder);
      for (const person of people)
        await person.waitFor(/Bought|did not|could not|cannot open its key store/i, { timeoutMs: LONG });
      await startSigner(holder);
      expect(said.get(holder)).toContain('standby');
    }
    const undone = async () =>
      (
        await witness.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM intents WHERE kind = 'buy' AND status NOT IN ('SUCCEEDED', 'FAILED', 'EXPIRED')",
        )
      ).rows[0]?.n;
    await expect.poll(undone, { timeout: LONG }).toBe(0);
    const { rows } = await witness.query<{ status: string; landed: number; n: number }>(
      `SELECT status, landed, count(*)::int AS n FROM (
         SELECT i.status, (SELECT count(*)::int FROM attempts a WHERE a.intent_id = i.id AND a.landed_slot IS NOT NULL) AS landed
         FROM intents i WHERE i.kind = 'buy') AS one GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    for (const { status, landed } of rows) expect(landed).toBe(status === 'SUCCEEDED' ? 1 : 0);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(0);
    const { rows: fences } = await witness.query('SELECT 1 FROM quarantines WHERE lifted_at IS NULL');
    expect(fences).toEqual([]);
  }, 600_000);
});
