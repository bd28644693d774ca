import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../src/config/environment.ts';
import { loadConfig } from '../src/config/index.ts';
import { hasCode } from '../src/core/errors/app-error.ts';
import { FEE_TABLE } from '../src/engine/fees/rules/fee-table.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (hasCode(error, 'CONFIG_INVALID')) return error.details.problems;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('needs nothing: every variable has a default outside production', () => {
    const config = loadConfig({});
    expect(config.roles).toEqual(['bot', 'worker', 'api', 'indexer']);
    expect(config.databaseUrl).toBeNull();
    expect(config.kek).toEqual({ kind: 'local' });
    expect(config.feeTable).toEqual(FEE_TABLE);
    expect([...config.referralRequiredFor]).toEqual(['create', 'launch']);
  });

  it('counts an empty value as absent, so that a copied example file changes nothing', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
    const keys = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(keys.every(([, , value]) => value === '')).toBe(true);
    expect(loadConfig(Object.fromEntries(keys.map(([, key, value]) => [key, value])))).toEqual(
      loadConfig({}),
    );
  });

  const variables = Object.keys(ENVIRONMENT.shape);
  // Any text may be meant.
  const FREE_TEXT = ['POSTGRES_PASSWORD', 'OKX_PASSPHRASE'];

  it.each(variables.filter((name) => !FREE_TEXT.includes(name)))(
    '%s in quotes, with a space and with a line break is one sentence that names it',
    (name) => {
      for (const [value, mend] of [
        ['"1"', /stands in quotes.*Take them away\.$/],
        ["'1'", /stands in quotes.*Take them away\.$/],
        [' 1', /space or a line break\. Take it away\.$/],
        ['1\n', /space or a line break\. Take it away\.$/],
      ] as const) {
        const about = problemsOf({ [name]: value }).filter((problem) => problem.startsWith(`${name}: `));
        expect(about.filter((problem) => mend.test(problem))).toHaveLength(1);
        for (const problem of about) expect(problem).not.toContain('\n');
      }
    },
  );

  it('says of every variable but paths, hosts, secrets and texts that its value is none', () => {
    const any = variables.filter(
      (name) => !problemsOf({ [name]: 'no;such value' }).some((problem) => problem.startsWith(`${name}: `)),
    );
    // A path or a host that leads nowhere is told by the start itself, a secret by whom it is shown to.
    expect(new Set(any)).toEqual(
      new Set([
        'GEYSER_TOKEN',
        'POSTGRES_PASSWORD',
        'VERIFIED_TOKENS_FILE',
        'POOL_SEEDS_FILE',
        'SIGNER_SOCKET',
        'SIGNER_TLS_CERT',
        'SIGNER_TLS_KEY',
        'SIGNER_TLS_CA',
        'KEK_FILE',
        'KEK_OLD_FILES',
        'JOURNAL_DIR',
        'VAULT_TOKEN_FILE',
        'VAULT_TOKEN',
        'HEALTH_HOST',
        'SENDERS_FILE',
        'API_HOST',
        'OPERATOR_CONTACT',
        'IPFS_API_TOKEN',
        'JUPITER_API_KEY',
        'OKX_API_KEY',
        'OKX_SECRET_KEY',
        'OKX_PASSPHRASE',
        'LOCAL_DIR',
        'LOCAL_WORLD',
        'LOCALNET_PROGRAMS_DIR',
      ]),
    );
  });

  it('has the same keys as .env.example', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
    const keys = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]);
    expect(new Set(keys)).toEqual(new Set(Object.keys(ENVIRONMENT.shape)));
    expect(keys).toHaveLength(new Set(keys).size);
  });

  it('says all of what production lacks at once, each with its mend', () => {
    const problems = problemsOf({ NODE_ENV: 'production' });
    expect(problems).toHaveLength(6);
    expect(problems[0]).toMatch(/^TELEGRAM_BOT_TOKEN: missing.*BotFather/);
    expect(problems.join('\n')).toMatch(/SOLANA_RPC_URL[\s\S]*DATABASE_URL[\s\S]*KEK_FILE/);
  });

  const real = {
    NODE_ENV: 'production',
    SOLANA_RPC_URL: 'https://rpc.example',
    DATABASE_URL: 'postgresql://u:p@db/t',
  };
  const token = { TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`, CHAT_KEY: 'cd'.repeat(32) };
  const socket = { SIGNER_SOCKET: '/run/tradepost/signer.sock' };

  it('holds the master key, or knows the socket of who does, or says in one sentence that it needs either', () => {
    expect(problemsOf({ ...real, ...token })).toEqual([
      expect.stringMatching(/^KEK_FILE: missing\. .*openssl rand.*SIGNER_SOCKET.*ROLES=signer/),
      expect.stringMatching(/^JOURNAL_DIR: missing\. .*a folder on a disk that lasts/),
    ]);
    for (const role of ['bot', 'api', 'worker']) {
      const config = loadConfig({ ...real, ...token, ...socket, ROLES: role });
      expect(config).toMatchObject({ kek: null, olderKeks: [], signerSocket: socket.SIGNER_SOCKET });
    }
    expect(loadConfig({ ...real, ...token, KEK_FILE: '/k', JOURNAL_DIR: '/j' })).toMatchObject({
      signerSocket: null,
      kek: { kind: 'file' },
    });
  });

  it.each([
    { KEK: 'ab'.repeat(32) },
    { KEK_FILE: '/k' },
    { KEK_OLD_FILES: '/k' },
    { KEK_PROVIDER: 'file', KEK_FILE: '/k' },
    { VAULT_TOKEN: 't' },
    { VAULT_TOKEN_FILE: '/t' },
    { AWS_KMS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/x' },
  ] as Record<string, string>[])('refuses a key where the signer is asked: %o', (key) => {
    expect(problemsOf({ ...real, ...token, ...socket, ROLES: 'bot', ...key })).toEqual(
      Object.keys(key)
        .toSorted()
        .map((name) => expect.stringMatching(new RegExp(`^${name}: belongs to the signer alone`))),
    );
  });

  it('runs the signer alone, with key, socket and database, and without a bot', () => {
    const signer = { ...real, ...socket, ROLES: 'signer', KEK_FILE: '/k', JOURNAL_DIR: '/j' };
    expect(loadConfig(signer)).toMatchObject({
      roles: ['signer'],
      kek: { kind: 'file', path: '/k' },
      journalDir: '/j',
    });
    expect(problemsOf({ ...signer, ROLES: 'signer,bot', ...token })).toEqual([
      expect.stringMatching(/^ROLES: the signer runs in a process of its own/),
    ]);
    expect(problemsOf({ ...signer, KEK_FILE: '' })).toEqual([expect.stringMatching(/^KEK_FILE: missing/)]);
    expect(problemsOf({ ...signer, SIGNER_SOCKET: '' })).toEqual([
      expect.stringMatching(/^SIGNER_SOCKET: missing/),
    ]);
    expect(problemsOf({ ...signer, NODE_ENV: '', DATABASE_URL: '' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: missing/),
    ]);
  });

  it('refuses a webhook without a secret: a secret path alone is not enough', () => {
    expect(
      problemsOf({
        BOT_MODE: 'webhook',
        WEBHOOK_URL: 'https://bot.example.org/x',
        TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`,
      }),
    ).toEqual([expect.stringContaining('WEBHOOK_SECRET')]);
  });

  it.each([
    [
      { FEE_BPS: '-1' },
      'FEE_BPS: expected a whole number from 0 to 1000, or several with the days they begin on, like 0, 2030-01-01=1000',
    ],
    [
      { FEE_BPS: '1e2' },
      'FEE_BPS: expected a whole number from 0 to 1000, or several with the days they begin on, like 0, 2030-01-01=1000',
    ],
    [
      { FEE_BPS: '1001' },
      'FEE_BPS: expected a whole number from 0 to 1000, or several with the days they begin on, like 0, 2030-01-01=1000',
    ],
    [
      { FEE_BPS: '100,90' },
      'FEE_BPS: expected a whole number from 0 to 1000, or several with the days they begin on, like 0, 2030-01-01=1000',
    ],
    [
      { REFERRAL_REQUIRED_FOR: 'create,swim' },
      'REFERRAL_REQUIRED_FOR: expected "nothing" or a comma list of create, launch, trade',
    ],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL: expected a URL like postgresql://user:password@host:5432/tradepost',
    ],
    [
      { SOLANA_RPC_URL: 'https://a.example,nonsense' },
      'SOLANA_RPC_URL: expected a URL like https://api.mainnet-beta.solana.com',
    ],
    [
      { TELEGRAM_BOT_TOKEN: 'hello' },
      'TELEGRAM_BOT_TOKEN: expected a token from @BotFather, like 123456:ABC…',
    ],
    [{ KEK: 'short' }, 'KEK: expected 64 hexadecimal digits (32 bytes)'],
    [{ USD_MINT: 'dollar' }, 'USD_MINT: expected a base58 address'],
    [{ EXPLORER_URL: 'https://x.example/' }, 'EXPLORER_URL: expected a URL that contains {signature}'],
  ])('names the variable and what was expected: %o', (environment, sentence) => {
    expect(problemsOf(environment as Record<string, string>)).toEqual([sentence]);
  });

  it('says what the chosen key provider lacks, and puts configured services that are not chosen among the older keys', () => {
    expect(problemsOf({ KEK_PROVIDER: 'vault-transit' })).toEqual([
      expect.stringContaining('VAULT_TRANSIT_KEY'),
    ]);
    expect(problemsOf({ KEK_PROVIDER: 'vault-transit', VAULT_TRANSIT_KEY: 'k' })).toEqual([
      expect.stringContaining('VAULT_ADDR'),
      expect.stringContaining('VAULT_TOKEN_FILE'),
    ]);
    expect(problemsOf({ KEK_PROVIDER: 'aws-kms' })).toEqual([expect.stringContaining('AWS_KMS_KEY_ARN')]);
    const vault = { VAULT_ADDR: 'https://vault.example', VAULT_TOKEN: 't', VAULT_TRANSIT_KEY: 'k' };
    const service = {
      kind: 'vault-transit',
      address: 'https://vault.example',
      token: { text: 't' },
      mount: 'transit',
      key: 'k',
    };
    expect(loadConfig({ ...vault, KEK_FILE: '/a' })).toMatchObject({
      kek: { kind: 'file', path: '/a' },
      olderKeks: [service],
    });
    expect(loadConfig({ ...vault, KEK_PROVIDER: 'vault-transit', KEK_OLD_FILES: '/a, /b' })).toMatchObject({
      kek: service,
      olderKeks: [
        { kind: 'file', path: '/a' },
        { kind: 'file', path: '/b' },
      ],
    });
  });

  it('reads a comma list of endpoints and prefers a key file over an inline key', () => {
    const config = loadConfig({
      SOLANA_RPC_URL: 'https://a.example, https://b.example',
      KEK_FILE: '/run/secrets/kek',
      KEK: 'ab'.repeat(32),
    });
    expect(config.rpcUrls).toEqual(['https://a.example', 'https://b.example']);
    expect(config.kek).toEqual({ kind: 'file', path: '/run/secrets/kek' });
  });
});
