import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalTelegram } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { loadPepper } from '../src/platform/pin/pepper.ts';
import { keyring } from '../src/platform/vault/kek.ts';
import { localKek } from '../src/platform/vault/local-kek.ts';
import { createTestDatabase } from './support/database.ts';
import { runToEnd, START, script } from './support/run-to-end.ts';

const KEY = 'cd'.repeat(32);
const TOKEN = `1:${'a'.repeat(35)}`;

describe('the real process over a wrong configuration ends with code 1 and one sentence', () => {
  let folder: string;
  let databaseUrl: string;
  let telegram: Awaited<ReturnType<typeof startLocalTelegram>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'start-'));
    databaseUrl = await createTestDatabase();
    telegram = await startLocalTelegram({});
    // Sealed by a key that none of the processes below is given.
    const db = await createPrismaDatabase({ url: databaseUrl });
    const ring = keyring(localKek(new Uint8Array(32).fill(9)));
    await loadPepper({ keyring: ring, store: db.sealedSecrets });
    await db.close();
  });
  afterAll(async () => {
    await telegram.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const { code, lines } = await runToEnd(START, {
      LOCAL_DIR: await mkdtemp(join(folder, 'state-')),
      CHAT_PORT: '0',
      LOCALNET_PORT: '0',
      API_PORT: '0',
      PRO_API_PORT: '0',
      ...environment,
    });
    expect(lines).toHaveLength(1);
    expect(code).toBe(1);
    return lines[0] ?? '';
  };

  it('a token that Telegram does not know', async () => {
    const url = await createTestDatabase();
    const said = await start({
      DATABASE_URL: url,
      KEK: KEY,
      KEK_PROVIDER: 'env',
      TELEGRAM_BOT_TOKEN: TOKEN,
      BOT_API_ROOT: telegram.botApiUrl,
    });
    expect(said).toMatch(/^Tradepost cannot start: TELEGRAM_BOT_TOKEN: Telegram does not know this token\./);
    expect(said).not.toContain(TOKEN);
  }, 900_000);

  it.each([
    // Port 1 is one of those that fetch itself refuses.
    ['http://127.0.0.1:1', /127\.0\.0\.1:1 does not answer \(.+\)\. Start the node, or correct the URL\.$/],
  ])(
    'an RPC address %s beside the local Telegram',
    async (url, expected) => {
      const said = await start({ SOLANA_RPC_URL: url });
      expect(said).toMatch(/^Tradepost cannot start: SOLANA_RPC_URL: /);
      expect(said).toMatch(expected);
    },
    900_000,
  );

  it('an RPC address where nothing listens', async () => {
    const url = await createTestDatabase();
    // Closed again at once. Not port 1: fetch itself refuses that one.
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const said = await start({
      SOLANA_RPC_URL: `http://${endpoint}`,
      DATABASE_URL: url,
      KEK: KEY,
      KEK_PROVIDER: 'env',
      TELEGRAM_BOT_TOKEN: TOKEN,
      BOT_API_ROOT: telegram.botApiUrl,
    });
    expect(said.startsWith(`Tradepost cannot start: SOLANA_RPC_URL: ${endpoint} does not answer`)).toBe(true);
  }, 900_000);

  it('the key of another database, named where its provider is configured', async () => {
    const said = await start({
      DATABASE_URL: databaseUrl,
      KEK: KEY,
      KEK_PROVIDER: 'env',
      TELEGRAM_BOT_TOKEN: TOKEN,
      BOT_API_ROOT: telegram.botApiUrl,
    });
    expect(said).toMatch(/^Tradepost cannot start: KEK: .* not the one that sealed this database/);
    expect(said).not.toMatch(/KEK_FILE|cdcd/);
  }, 900_000);

  it.each([
    ['/', 'pa/hush', '%2F'],
    ['@', 'pa@hush', '%40'],
    ['%', 'pa%hush', '%25'],
  ])('a password with %s in the URL of the database', async (_, password, mend) => {
    const said = await start({ DATABASE_URL: `postgresql://u:${password}@127.0.0.1:1/d` });
    expect(said).toMatch(/^Tradepost cannot start: DATABASE_URL: /);
    expect(said).toContain(mend);
    expect(said).not.toContain('hush');
  });

  it('a password with a colon is none: it reaches the server', async () => {
    const LOCAL_DIR = await mkdtemp(join(folder, 'own-'));
    await writeFile(join(LOCAL_DIR, 'kek'), KEY, { mode: 0o400 });
    expect(await start({ DATABASE_URL: 'postgresql://u:pa:hush@127.0.0.1:1/d', LOCAL_DIR })).toMatch(
      /^Tradepost cannot start: the database: nothing answers at 127\.0\.0\.1:1\./,
    );
  });

  it.each([
    ['mainnet, by a superuser of the database', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', ''],
    [
      'any network, by a superuser where DATABASE_ROLES=own',
      'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
      'own',
    ],
  ])('%s', async (_, genesis, roles) => {
    const node = createHttpServer((request, response) => {
      request
        .resume()
        .on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: genesis })));
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const LOCAL_DIR = await mkdtemp(join(folder, 'own-'));
    try {
      const said = await start({
        ROLES: 'signer',
        LOCAL_DIR,
        JOURNAL_DIR: join(LOCAL_DIR, 'journal'),
        SIGNER_SOCKET: join(LOCAL_DIR, 's.sock'),
        SOLANA_RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
        DATABASE_URL: await createTestDatabase(),
        DATABASE_ROLES: roles,
        KEK: KEY,
        KEK_PROVIDER: 'env',
      });
      expect(said).toMatch(
        /^Tradepost cannot start: DATABASE_ROLES: this process is ".+" on the database server, a superuser: .*db roles --yes.*DATABASE_ROLES=one/,
      );
    } finally {
      await new Promise((resolve) => node.close(resolve));
    }
  });

  it('a value in quotes', async () => {
    expect(await start({ DATABASE_URL: '"postgresql://u:p@127.0.0.1:1/d"' })).toMatch(
      /^Tradepost cannot start: DATABASE_URL: .*quotes/,
    );
  });
});

it('npm run localnet goes to LOCALNET_PORT', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  const end = await runToEnd(script('scripts/localnet.ts'), { LOCALNET_PORT: port }).finally(() =>
    server.close(),
  );
  expect(end.code).toBe(1);
  expect(end.lines.join('\n')).toContain(port);
  const wrong = await runToEnd(script('scripts/localnet.ts'), { LOCALNET_PORT: 'eighty' });
  expect(wrong).toMatchObject({ code: 1, lines: [expect.stringMatching(/LOCALNET_PORT: /)] });
});
