import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

const root = fileURLToPath(new URL('../..', import.meta.url));
const PIN = '739154';
/** Four processes start and work beside whatever else this machine does. */
const LONG = { timeoutMs: 60_000 };

let folder: string;
let chain: DeskChain;
let telegram: LocalTelegram;
let databaseUrl: string;
let witness: pg.Client;
let healthPort: number;
const kek = randomBytes(32).toString('hex');
const children = new Map<string, ChildProcess>();
const said = new Map<string, string>();

/** What every role here is given. Nothing of this process's own that leads to something real or to a key. */
const common = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  LOCAL_DIR: folder,
  DATABASE_URL: databaseUrl,
  SOLANA_RPC_URL: chain.rpcUrl,
  SIGNER_SOCKET: join(folder, 'signer', 'signer.sock'),
  API_PORT: '0',
  PRO_API_PORT: '0',
  HOT_POOLS: '0',
  ADDRESS_DELAY_SECONDS: '0',
  LONG_DELAY_SECONDS: '0',
  // The people here type faster than people can.
  CHAT_UPDATES: '1000',
  LOG_LEVEL: 'error',
});

async function start(role: string, script: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['--import', './scripts/register.mjs', ...script], {
    cwd: root,
    env: { ...common(), ...env, ROLES: role },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.set(role, child);
  said.set(role, '');
  const hear = (text: string): void => void said.set(role, `${said.get(role) ?? ''}${text}`);
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  while (!/ready/i.test(said.get(role) ?? '')) {
    if (child.exitCode !== null) throw new Error(`${role} ended: ${said.get(role)}`);
    await pause(50);
  }
}

/** By the real entry, as the container starts it. */
async function startSigner(): Promise<void> {
  const file = join(folder, 'kek');
  await writeFile(file, kek, { mode: 0o400, flag: 'w' }).catch(() => undefined);
  await start('signer', ['src/main.ts'], {
    KEK_FILE: file,
    JOURNAL_DIR: join(folder, 'journal'),
    HEALTH_PORT: `${healthPort}`,
  });
}

async function killed(role: string): Promise<void> {
  const child = children.get(role);
  const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()));
  child?.kill('SIGKILL');
  await ended;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roles-'));
  [chain, telegram, databaseUrl] = await Promise.all([
    startDeskChain({ slotMs: 50, seed: 'roles', wsPort: null }),
    startLocalTelegram({}),
    createTestDatabase(),
  ]);
  healthPort = await freePort();
  witness = new pg.Client({ connectionString: databaseUrl });
  await witness.connect();
  const elsewhere = JSON.stringify(elsewhereOf(chain, telegram));
  // The signer last: the others wait for it.
  const others = ['worker', 'bot', 'api'].map((role) =>
    start(role, ['test/support/role-process.ts', elsewhere], {}),
  );
  await startSigner();
  await Promise.all(others);
});

afterAll(async () => {
  for (const role of children.keys()) {
    if (children.get(role)?.exitCode === null) await killed(role);
  }
  await witness?.end();
  await telegram?.stop();
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});

let next = 9_000;
async function trader(name: string): Promise<{ readonly person: Person; readonly address: string }> {
  next += 1;
  const person = await createPerson({ core: telegram.core, user: { id: next, first_name: name } });
  await person.start();
  await person.waitFor(/Welcome/);
  await person.tap('Create Deposit Wallet');
  await person.waitFor(/deposit wallet is ready/);
  const { rows } = await witness.query<{ address: string }>(
    `SELECT w.address FROM wallets w JOIN users u ON u.id = w.user_id WHERE u.telegram_id = $1`,
    [next],
  );
  const address = rows[0]?.address ?? '';
  await rpc('requestAirdrop', [address, 5_000_000_000]);
  await expect.poll(() => lamportsOf(address), { timeout: 60_000 }).toBe(5_000_000_000);
  return { person, address };
}

async function rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: T }).result;
}
const lamportsOf = async (address: string): Promise<number> =>
  (await rpc<{ value: number }>('getBalance', [address, { commitment: 'confirmed' }])).value;

async function askToBuy(person: Person): Promise<void> {
  await person.say(chain.world.tokens.find(({ symbol }) => symbol === 'PUP')?.mint ?? '');
  await person.waitFor(
    (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.reply_markup !== undefined,
  );
  await person.tap('🟢 0.1');
  await person.waitFor(/You get about/);
}

const intents = async (address: string) =>
  (
    await witness.query<{ kind: string; status: string; landed: number }>(
      `SELECT i.kind, i.status, (SELECT count(*)::int FROM attempts a WHERE a.intent_id = i.id AND a.landed_slot IS NOT NULL) AS landed
       FROM intents i JOIN wallets w ON w.id = i.wallet_id WHERE w.address = $1 ORDER BY i.id`,
      [address],
    )
  ).rows;

describe('the four roles in four processes', () => {
  it('leave the master key with the signer alone', async () => {
    for (const role of ['bot', 'api', 'worker', 'signer']) {
      const environment = await readFile(`/proc/${children.get(role)?.pid}/environ`, 'utf8');
      const names = environment.split('\0').map((line) => line.split('=')[0] ?? '');
      expect(names).toContain('SIGNER_SOCKET');
      expect(names.includes('KEK_FILE'), role).toBe(role === 'signer');
      expect(environment).not.toContain(kek);
    }
  });

  it('trade, and take money out with the PIN', async () => {
    const { person, address } = await trader('Apart');
    await askToBuy(person);
    await person.tap('Confirm buy');
    await person.waitFor(/Bought [\d,.]+ PUP for 0.1 SOL[\s\S]* · final/, LONG);

    const { address: to } = await trader('Friend');
    await person.say('/withdraw_sol');
    await person.waitFor(/To which Solana address/);
    await person.say(to);
    await person.waitFor(/How much SOL/);
    await person.say('0.5');
    await person.waitFor(/Set a PIN first/);
    await person.tap('Set a PIN');
    await person.waitFor(/Type a new PIN/);
    await person.say(PIN);
    await person.waitFor(/once more/);
    await person.say(PIN);
    await person.waitFor(/Type your PIN/);
    await person.say(PIN);
    await expect.poll(() => lamportsOf(to), { timeout: 60_000 }).toBe(5_500_000_000);
    await expect
      .poll(() => intents(address), { timeout: 60_000 })
      .toEqual([
        { kind: 'buy', status: 'SUCCEEDED', landed: 1 },
        { kind: 'withdraw-sol', status: 'SUCCEEDED', landed: 1 },
      ]);
  }, 900_000);

  it('go on when the signer was killed and came back: the trade that waited ends once', async () => {
    const { person, address } = await trader('Patient');
    await askToBuy(person);
    // Confirmed, and not signed: the worker stands still, then the signer is gone.
    children.get('worker')?.kill('SIGSTOP');
    await person.tap('Confirm buy');
    await expect
      .poll(() => intents(address), { timeout: 60_000 })
      .toEqual([{ kind: 'buy', status: 'CREATED', landed: 0 }]);
    await killed('signer');
    children.get('worker')?.kill('SIGCONT');
    await startSigner();
    await person.waitFor(/Bought [\d,.]+ PUP for 0.1 SOL[\s\S]* · final/, LONG);
    expect(await intents(address)).toEqual([{ kind: 'buy', status: 'SUCCEEDED', landed: 1 }]);
  });

  it('stop on SIGTERM: the signer was alive and ready until then, and ends with 0', async () => {
    expect((await fetch(`http://127.0.0.1:${healthPort}/livez`)).status).toBe(200);
    const ready = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('database')]);
    const child = children.get('signer');
    const ended = new Promise<number | null>((resolve) => child?.once('exit', resolve));
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
