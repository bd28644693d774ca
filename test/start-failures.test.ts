import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeyring } from '../src/compose/open-keyring.ts';
import { describeStartFailure } from '../src/compose/start-failure.ts';
import { loadConfig } from '../src/config/index.ts';
import { AppError } from '../src/core/errors/app-error.ts';

const dir = mkdtempSync(join(tmpdir(), 'start-failures-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, text: string, mode = 0o400): string {
  const path = join(dir, name);
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, mode);
  return path;
}

const TOKEN = `1:${'a'.repeat(35)}`;
const GOOD = {
  NODE_ENV: 'production',
  TELEGRAM_BOT_TOKEN: TOKEN,
  SOLANA_RPC_URL: 'https://rpc.example.org',
  DATABASE_URL: 'postgresql://desk:secret@db.example.org:5432/desk',
  KEK_FILE: '/run/secrets/kek',
  CHAT_KEY: 'cd'.repeat(32),
  JOURNAL_DIR: '/var/lib/tradepost/journal',
};

const TLS = { SIGNER_TLS_CERT: '/s.crt', SIGNER_TLS_KEY: '/s.key', SIGNER_TLS_CA: '/ca.crt' };

/** What the operator reads when `start` throws. */
async function told(start: () => unknown): Promise<string> {
  try {
    await start();
  } catch (error) {
    return describeStartFailure(error);
  }
  return 'it started';
}

/** The variable that is wrong, its value or the whole change, and the mend that the sentence has to name. */
const CONFIGURATIONS: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: '' }, /missing\. Create a bot with @BotFather/],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: 'hello' }, /expected a token from @BotFather/],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: `"${TOKEN}"` }, /stands in quotes.*Take them away/],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: ` ${TOKEN}` }, /begins or ends with a space.*Take it away/],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: `${TOKEN}\n` }, /space or a line break\. Take it away/],
  ['SOLANA_RPC_URL', { SOLANA_RPC_URL: '   ' }, /missing\. Set one RPC URL/],
  ['SOLANA_RPC_URL', { SOLANA_RPC_URL: 'rpc.example.org' }, /expected a URL like https:/],
  ['SOLANA_RPC_URL', { SOLANA_RPC_URL: "'https://rpc.example.org'" }, /quotes/],
  ['SOLANA_WS_URL', { SOLANA_WS_URL: 'https://rpc.example.org' }, /expected a URL like wss:/],
  ['DATABASE_URL', { DATABASE_URL: '' }, /missing\. Set the URL of a Postgres/],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://u:p@h/d' }, /expected a URL like postgresql:/],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://' }, /expected a URL like postgresql:/],
  [
    'DATABASE_URL',
    { DATABASE_URL: 'postgresql://u:pa/hush@h:5432/d' },
    /write .* \/ as %2F.*POSTGRES_PASSWORD/,
  ],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:1/hush@h:5432/d' }, /\/ as %2F/],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:pa@hush@h:5432/d' }, /@ as %40/],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:pa%hush@h:5432/d' }, /% as %25/],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:1#hush@h:5432/d' }, /# as %23/],
  ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:1?hush@h:5432/d' }, /\? as %3F/],
  ['REDIS_URL', { REDIS_URL: 'localhost:6379' }, /expected a URL like redis:/],
  ['CHAT_KEY', { CHAT_KEY: '' }, /missing\. Set CHAT_KEY_FILE to a file with 64 hexadecimal digits/],
  ['CHAT_KEY', { CHAT_KEY: 'abc' }, /expected 64 hexadecimal digits/],
  [
    'CHAT_KEY',
    { CHAT_KEY: '', CHAT_KEY_OLD: 'ab'.repeat(32), ROLES: 'api' },
    /CHAT_KEY_OLD alone seals nothing/,
  ],
  ['JOURNAL_DIR', { JOURNAL_DIR: '' }, /missing\. Name a folder on a disk that lasts/],
  ['KEK_FILE', { KEK_FILE: '' }, /missing\. Name a file of mode 0400/],
  ['KEK', { KEK_PROVIDER: 'env' }, /missing\. KEK_PROVIDER=env needs 64 hexadecimal digits/],
  ['KEK', { KEK: 'abc' }, /expected 64 hexadecimal digits/],
  ['AWS_KMS_KEY_ARN', { KEK_PROVIDER: 'aws-kms' }, /missing\..*needs the ARN/],
  [
    'VAULT_TOKEN_FILE',
    { VAULT_TRANSIT_KEY: 'k', VAULT_ADDR: 'https://v' },
    /missing\..*needs a token or the file/,
  ],
  ['ROLES', { ROLES: 'bot,cook' }, /worker/],
  ['ROLES', { ROLES: 'signer,bot', SIGNER_SOCKET: '/run/s.sock' }, /process of its own\. Name it alone/],
  ['SIGNER_SOCKET', { ROLES: 'signer' }, /missing\. ROLES=signer needs the path of the socket/],
  ['SIGNER_SOCKET', { ROLES: 'signer', SIGNER_SOCKET: '/s'.repeat(60) }, /path of at most 100 characters/],
  ['SIGNER_SOCKET', { ROLES: 'signer', SIGNER_SOCKET: '"/run/s.sock"' }, /quotes/],
  ['KEK_FILE', { SIGNER_SOCKET: '/run/s.sock' }, /belongs to the signer alone.*remove KEK_FILE here/],
  [
    'KEK_FILE',
    { ROLES: 'signer', SIGNER_SOCKET: '/run/s.sock', KEK_FILE: '' },
    /missing\. Name a file .*32"\)\.$/,
  ],
  ['SIGNER_WITNESSES', { SIGNER_WITNESSES: 'tls://w:4440', ...TLS }, /is the signer's/],
  [
    'SIGNER_TLS_CERT',
    {
      ...TLS,
      ROLES: 'signer',
      SIGNER_SOCKET: '/run/s.sock',
      SIGNER_WITNESSES: 'tls://w:4440',
      SIGNER_TLS_CERT: '',
    },
    /missing\. A signer on the network needs it/,
  ],
  ['API_PORT', { API_PORT: '70000' }, /expected a whole number from 0 to 65535/],
  ['API_KEY_SECRET', { API_KEY_SECRET: 'short' }, /expected 64 hexadecimal digits/],
  ['FEE_BPS', { FEE_BPS: '1 %' }, /expected a whole number from 0 to 1000/],
  [
    'WEBHOOK_SECRET',
    { BOT_MODE: 'webhook', WEBHOOK_URL: 'https://b.example.org/x' },
    /missing\. BOT_MODE=webhook needs/,
  ],
  ['USD_MINT', { USD_MINT: 'USDC' }, /expected a base58 address/],
  [
    'OKX_PASSPHRASE',
    { AGGREGATORS: 'okx', OKX_API_KEY: 'a', OKX_SECRET_KEY: 'b' },
    /missing\. AGGREGATORS=okx needs/,
  ],
  ['AGGREGATORS', { AGGREGATORS: 'off,raydium' }, /"off" goes alone\. Name aggregators instead/],
  ['AGGREGATORS', { AGGREGATORS: 'raydium,auto' }, /"auto" goes alone/],
  ['PUBLIC_URL', { PUBLIC_URL: 'desk.example.org' }, /expected a URL like https:/],
  [
    'DATABASE_URL_FILE',
    { DATABASE_URL_FILE: '/run/secrets/url' },
    /DATABASE_URL is set too\. Keep one of the two/,
  ],
  ['REDIS_URL_FILE', { REDIS_URL_FILE: join(dir, 'nowhere') }, /there is no such file\. Correct the path/],
  ['REDIS_URL_FILE', { REDIS_URL_FILE: dir }, /it is a folder\. Name the file/],
  [
    'REDIS_URL_FILE',
    { REDIS_URL_FILE: file('empty', '\n') },
    /is empty\. Put the value of REDIS_URL into it/,
  ],
  ['REDIS_URL', { REDIS_URL_FILE: file('wrong', 'localhost') }, /expected a URL like redis:/],
];

describe('each wrong configuration is one sentence with the variable and the mend', () => {
  it('starts from one that is right', async () => {
    expect(await told(() => loadConfig(GOOD))).toBe('it started');
    expect(CONFIGURATIONS.length).toBeGreaterThanOrEqual(30);
  });

  it.each(CONFIGURATIONS)('%s: %j', async (variable, change, mend) => {
    const text = await told(() => loadConfig({ ...GOOD, ...change }));
    expect(text.startsWith(`Tradepost cannot start: ${variable}: `)).toBe(true);
    expect(text).toMatch(mend);
    expect(text.split('\n')).toHaveLength(1);
    // No part of a secret, and nothing but the sentence.
    expect(text).not.toMatch(/hush|secret@|\n\s+at /);
  });
});

describe('a witness', () => {
  const WITNESS = {
    NODE_ENV: 'production',
    ROLES: 'witness',
    SIGNER_LISTEN: 'tls://10.0.0.9:4440',
    SIGNER_TLS_CERT: '/w.crt',
    SIGNER_TLS_KEY: '/w.key',
    SIGNER_TLS_CA: '/ca.crt',
    JOURNAL_DIR: '/var/lib/tradepost/witness',
  };

  it('starts with a port, a folder and three files', () => {
    expect(loadConfig(WITNESS)).toMatchObject({ roles: ['witness'], kek: null, databaseUrl: null });
    expect(loadConfig({ ...WITNESS, NODE_ENV: 'development' }).kek).toBeNull();
  });

  it.each([
    ['SIGNER_LISTEN', '', /missing\. ROLES=witness needs the port/],
    ['SIGNER_TLS_CA', '', /missing\. A signer on the network needs it/],
    ['JOURNAL_DIR', '', /missing/],
    ['ROLES', 'witness,worker', /a machine of its own\. Name it alone/],
    ['SIGNER_PEERS', 'tls://a:4440', /Remove SIGNER_PEERS here/],
    ['SIGNER_WITNESSES', 'tls://a:4440', /Remove SIGNER_WITNESSES here/],
    ['SIGNER_SOCKET', '/run/s.sock', /Remove SIGNER_SOCKET here/],
    ['DATABASE_URL', GOOD.DATABASE_URL, /no database and no secret.*Remove DATABASE_URL here/],
    ['SOLANA_RPC_URL', GOOD.SOLANA_RPC_URL, /Remove SOLANA_RPC_URL here/],
    ['KEK_FILE', GOOD.KEK_FILE, /Remove KEK_FILE here/],
    ['KEK', 'ab'.repeat(32), /Remove KEK here/],
    ['TELEGRAM_BOT_TOKEN', TOKEN, /Remove TELEGRAM_BOT_TOKEN here/],
    ['CHAT_KEY', GOOD.CHAT_KEY, /Remove CHAT_KEY here/],
  ])('does not start where %s is "%s"', async (name, value, mend) => {
    for (const NODE_ENV of ['production', 'development']) {
      const lines = await told(() => loadConfig({ ...WITNESS, NODE_ENV, [name]: value }));
      const line = lines.split('\n').find((one) => one.startsWith(`Tradepost cannot start: ${name}: `));
      expect(line).toMatch(mend);
    }
  });
});

describe('what only the start itself finds is one sentence, too', () => {
  const key = 'ab'.repeat(32);
  const open = (path: string) => told(() => openKeyring({ kind: 'file', path }, []));

  it.each([
    ['is missing', () => join(dir, 'no-kek'), /no such file\. Correct KEK_FILE/],
    ['is a folder', () => dir, /folder|readable by others/],
    ['is short', () => file('short', key.slice(2)), /must hold 32 bytes as 64 hex digits/],
    ['is empty', () => file('none', ''), /must hold 32 bytes/],
    ['is readable by others', () => file('open', key, 0o444), /chmod 400 it/],
  ])('a key file that %s', async (_, path, mend) => {
    const text = await open(path());
    expect(text).toMatch(/^Tradepost cannot start: the key-encryption key: the key file /);
    expect(text).toMatch(mend);
    expect(text).not.toMatch(/\n|abab/);
  });

  it.skipIf(process.getuid?.() === 0)('a key file of somebody else', async () => {
    expect(await open(file('closed', key, 0o000))).toMatch(/belongs to somebody else .* chown/);
  });

  it.each([
    [
      'a key of another database',
      new AppError('SECRET_UNREADABLE', { walletId: 'pepper' }),
      /KEK_FILE: .* not the one that sealed this database\. .*KEK_OLD_FILES/,
    ],
    [
      'an RPC that is away',
      new AppError('CHAIN_UNREACHABLE', { endpoint: 'http://127.0.0.1:1', cause: 'connect ECONNREFUSED' }),
      /SOLANA_RPC_URL: http:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED\)\. Start the node, or correct/,
    ],
    [
      'a signer that is away',
      new AppError('SIGNER_UNAVAILABLE', { cause: '/run/s.sock does not answer (ENOENT)' }),
      /SIGNER_SOCKET, SIGNER_URLS: \/run\/s\.sock does not answer \(ENOENT\)\. Start .* ROLES=signer, or correct the place/,
    ],
    [
      'a token that Telegram does not know',
      Object.assign(new Error("Call to 'getMe' failed! (401: Unauthorized)"), {
        name: 'GrammyError',
        error_code: 401,
      }),
      /TELEGRAM_BOT_TOKEN: .*Copy it from @BotFather/,
    ],
  ])('%s', (_, error, sentence) => {
    const text = describeStartFailure(error);
    expect(text).toMatch(sentence);
    expect(text).not.toMatch(/\n/);
  });
});

it('a key of another database is named where its provider is configured', () => {
  const text = describeStartFailure(
    new AppError('SECRET_UNREADABLE', { walletId: 'pepper' }),
    'VAULT_TRANSIT_KEY',
  );
  expect(text).toMatch(
    /^Tradepost cannot start: VAULT_TRANSIT_KEY: .* Name its own in VAULT_TRANSIT_KEY, or /,
  );
});

describe('secrets', () => {
  it('are taken from files as from variables', () => {
    mkdirSync(join(dir, 'secrets'));
    const { TELEGRAM_BOT_TOKEN, DATABASE_URL, ...rest } = GOOD;
    const config = loadConfig({
      ...rest,
      TELEGRAM_BOT_TOKEN_FILE: file('token', `${TELEGRAM_BOT_TOKEN}\n`),
      DATABASE_URL_FILE: file('url', DATABASE_URL),
    });
    expect(config).toMatchObject({ telegramToken: TELEGRAM_BOT_TOKEN, databaseUrl: DATABASE_URL });
  });

  it('may hold any character where the password stands apart from the URL', () => {
    const password = "/ @ : % # ? ' \\ é";
    const { databaseUrl } = loadConfig({
      ...GOOD,
      DATABASE_URL: 'postgresql://desk@db:5432/desk',
      POSTGRES_PASSWORD: password,
    });
    const url = new URL(databaseUrl ?? '');
    expect([decodeURIComponent(url.password), url.host, url.pathname]).toEqual([
      password,
      'db:5432',
      '/desk',
    ]);
  });
});
