import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import pg from 'pg';
import { type DeskChain, startDeskChain } from '../../src/local/desk/index.ts';
import type { TlsFiles } from '../../src/platform/signer/tls-identity.ts';
import { createTestDatabase } from '../support/database.ts';
import { elsewhereOf } from '../support/elsewhere.ts';
import { freePort } from '../support/free-port.ts';
import { makeCerts } from '../support/signer-certs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Processes start and work beside other work of this machine. */
export const LONG = 90_000;

type LeaseRow = {
  readonly holder: string;
  readonly epoch: string;
  readonly level: readonly string[];
  readonly witnesses: readonly string[];
  readonly behind: readonly string[];
};

export type SignerDesk = Awaited<ReturnType<typeof openSignerDesk>>;

/** A desk of real processes over TLS: its chain, Telegram, database and certificates. `stop` ends all that was started by it. */
export async function openSignerDesk(
  name: string,
  given: { readonly ports: readonly string[]; readonly roles: Readonly<Record<string, string>> },
) {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const kekFile = join(folder, 'kek');
  await writeFile(kekFile, randomBytes(32).toString('hex'), { mode: 0o400 });
  const ports = new Map<string, number>();
  for (const one of given.ports) ports.set(one, await freePort());
  const files = new Map<string, TlsFiles>();
  for (const [one, roles] of Object.entries(given.roles))
    files.set(one, await makeCerts(join(folder, 'certs'), one, '127.0.0.1', roles));
  const [chain, telegram, databaseUrl] = await Promise.all([
    startDeskChain({ slotMs: 50, seed: name, wsPort: null }),
    startLocalTelegram({}),
    createTestDatabase(),
  ]);
  const watcher = new pg.Client({ connectionString: databaseUrl });
  await watcher.connect();
  const placeOf = (one: string) => `tls://127.0.0.1:${ports.get(one)}`;
  const processes = createProcesses({ folder, chain, databaseUrl });
  const tlsOf = (one: string): Record<string, string> => {
    const { cert = '', key = '', ca = '' } = files.get(one) ?? {};
    return { SIGNER_TLS_CERT: cert, SIGNER_TLS_KEY: key, SIGNER_TLS_CA: ca };
  };
  return {
    ...processes,
    ...createPeople({ chain, telegram, watcher }),
    folder,
    kekFile,
    databaseUrl,
    watcher,
    ports,
    placeOf,
    tlsOf,
    filesOf: (one: string) => files.get(one) as TlsFiles,
    /** By the real entry, as the container starts it. */
    startMain: (one: string, env: Record<string, string>) =>
      processes.start(one, ['src/main.ts'], { ...tlsOf(one), ...env }),
    startRole: (role: string, signers: readonly string[]) =>
      processes.start(role, ['test/support/role-process.ts', JSON.stringify(elsewhereOf(chain, telegram))], {
        ...tlsOf(role),
        ROLES: role,
        SIGNER_URLS: signers.map(placeOf).join(','),
      }),
    lease: async (): Promise<LeaseRow | undefined> =>
      (await watcher.query<LeaseRow>('SELECT holder, epoch, level, witnesses, behind FROM signer_lease'))
        .rows[0],
    stop: async () => {
      await processes.killAll();
      await watcher.end();
      await telegram.stop();
      await chain.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createProcesses(own: {
  readonly folder: string;
  readonly chain: DeskChain;
  readonly databaseUrl: string;
}) {
  const children = new Map<string, ChildProcess>();
  const said = new Map<string, string>();
  const killed = async (name: string): Promise<void> => {
    const child = children.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    said,
    killed,
    killAll: async (): Promise<void> => {
      for (const name of children.keys()) await killed(name);
    },
    /** Sends a signal to a process, such as SIGSTOP. */
    signal: (name: string, signal: NodeJS.Signals): void => void children.get(name)?.kill(signal),
    /** Resolves when it says that it is ready. */
    start: async (name: string, script: readonly string[], env: Record<string, string>): Promise<void> => {
      const child = spawn(process.execPath, ['--import', './scripts/register.mjs', ...script], {
        cwd: root,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: own.folder,
          LOCAL_DIR: own.folder,
          LOG_LEVEL: 'error',
          ...(env['ROLES'] === 'witness'
            ? {}
            : {
                DATABASE_URL: own.databaseUrl,
                SOLANA_RPC_URL: own.chain.rpcUrl,
                API_PORT: '0',
                PRO_API_PORT: '0',
                HOT_POOLS: '0',
                // The people here type faster than people can.
                CHAT_UPDATES: '1000',
              }),
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
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${name} ended: ${said.get(name)}`);
        await pause(50);
      }
    },
  };
}

function createPeople({
  chain,
  telegram,
  watcher,
}: {
  readonly chain: DeskChain;
  readonly telegram: LocalTelegram;
  readonly watcher: pg.Client;
}) {
  const rpc = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result?: unknown }).result;
  };
  return {
    trader: async (id: number): Promise<Person> => {
      const person = await createPerson({ core: telegram.core, user: { id, first_name: `Trader ${id}` } });
      await person.start();
      await person.waitFor(/Welcome/, { timeoutMs: LONG });
      await person.tap('Create Deposit Wallet');
      await person.waitFor(/deposit wallet is ready/, { timeoutMs: LONG });
      const { rows } = await watcher.query<{ address: string }>(
        'SELECT w.address FROM wallets w JOIN users u ON u.id = w.user_id WHERE u.telegram_id = $1',
        [id],
      );
      const address = rows[0]?.address ?? '';
      await rpc('requestAirdrop', [address, 5_000_000_000]);
      // A card of a wallet that holds nothing yet has no buttons for purchases.
      for (let held = 0; held === 0; await pause(50)) {
        const answer = await rpc('getBalance', [address, { commitment: 'confirmed' }]);
        held = (answer as { readonly value: number }).value;
      }
      return person;
    },
    /** Up to the button "Confirm buy". */
    askToBuy: async (person: Person, n: number): Promise<void> => {
      const tokens = chain.world.tokens.filter(({ symbol }) => ['PUP', 'CAT', 'SOAP'].includes(symbol));
      const token = tokens[n % tokens.length];
      await person.say(token?.mint ?? '');
      await person.waitFor(
        (text, message) => /\n\S+( SOL)? · cap /.test(text) && message.reply_markup !== undefined,
        { timeoutMs: LONG },
      );
      await person.tap('🟢 0.1');
      await person.waitFor(/You get about/, { timeoutMs: LONG });
    },
    /** Purchases by status, each with the number of its attempts that landed. */
    purchases: async () =>
      (
        await watcher.query<{ status: string; landed: number; n: number }>(
          `SELECT status, landed, count(*)::int AS n FROM (
             SELECT i.status, (SELECT count(*)::int FROM attempts a WHERE a.intent_id = i.id AND a.landed_slot IS NOT NULL) AS landed
             FROM intents i WHERE i.kind = 'buy') AS one GROUP BY 1, 2 ORDER BY 1, 2`,
        )
      ).rows,
    openPurchases: async (): Promise<number | undefined> =>
      (
        await watcher.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM intents WHERE kind = 'buy' AND status NOT IN ('SUCCEEDED', 'FAILED', 'EXPIRED')",
        )
      ).rows[0]?.n,
    fences: async (): Promise<number> =>
      (await watcher.query('SELECT 1 FROM quarantines WHERE lifted_at IS NULL')).rows.length,
  };
}
