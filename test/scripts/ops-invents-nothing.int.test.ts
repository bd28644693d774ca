import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../scripts/ops/command.ts';
import { COMMANDS } from '../../scripts/ops/commands.ts';
import { createKeyRegistry } from '../../src/engine/signing/store/key-registry.ts';
import { makeLocalSecrets } from '../../src/local/make-secrets.ts';
import { writeRunFile } from '../../src/local/run-file.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { loadPepper } from '../../src/platform/pin/pepper.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { keyDigits, meetKey } from '../../src/platform/vault/prove-key.ts';
import { newId, userRow, walletRow } from '../conformance/store-rows.ts';
import { runOps, runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createTestDatabase } from '../support/database.ts';
import { PASSED } from '../support/passed.ts';

/** The sealed text, and its key. */
const SEALED = `SELECT jsonb_build_object('wallets', (SELECT jsonb_agg(w ORDER BY wallet_id) FROM wallet_secrets w),
  'secrets', (SELECT jsonb_agg(s ORDER BY name) FROM sealed_secrets s), 'keys', (SELECT jsonb_agg(k ORDER BY kek_id) FROM key_registry k),
  'api', (SELECT jsonb_agg(a ORDER BY id) FROM api_keys a))::text AS state`;

let folder: string;
let local: string;
let url: string;
let db: PrismaDatabase;
let ours: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invents-'));
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  ours = await keyFile('ours');
  const ring = keyring(await kekFromFile(ours));
  const { user } = await db.users.insert(userRow());
  const vault = createVault({ keyring: ring, secrets: db.wallets, venuePrograms: [] });
  for (const userId of [user.id, null]) {
    const walletId = newId();
    const secret = await vault.create({ walletId, userId });
    await db.wallets.insert(PASSED, walletRow({ id: walletId, userId, address: secret.publicKey }), secret);
  }
  await meetKey(ring.current, createKeyRegistry(db.query), Date.now());
  (await loadPepper({ keyring: ring, store: db.sealedSecrets })).fill(0);
});
beforeEach(async () => {
  local = await mkdtemp(join(folder, 'local-'));
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

async function keyFile(name: string, text = randomBytes(32).toString('hex')): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o400 });
  return path;
}
const sealed = async () => (await administer(url, SEALED))[0]?.['state'];
/** Every row of every table, so that a change anywhere shows. */
const everything = async () => {
  const tables = await administer(
    url,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1",
  );
  const rows = await administer(
    url,
    `${tables
      .map(
        ({ name }) =>
          `SELECT '${name}' AS t, md5(coalesce(string_agg(r::text, '|' ORDER BY r::text), '')) AS d FROM "${name}" r`,
      )
      .join(' UNION ALL ')} ORDER BY t`,
  );
  return JSON.stringify(rows);
};

/** The replacement of a word of a command's usage. */
const WORDS: Readonly<Record<string, string>> = {
  SWITCH: 'trading',
  ACCOUNT: 'acme',
  ADDRESS: 'So11111111111111111111111111111111111111112',
  SIGNATURE: '5'.repeat(88),
  SOL: '1',
  ITEM: 'code-1',
  N: '1',
  OPENS: '2099-01-01',
  CLOSES: '2099-01-08',
  IP: '192.0.2.1',
  WHY: 'a test',
};
const argsOf = ({ name, words = [] }: Command): string[] => [
  ...name.split(' '),
  ...words
    .filter((word) => !word.startsWith('['))
    .map((word) => WORDS[word] ?? join(folder, `${word} of ${name}`)),
  ...(name === 'dump-nightly' ? ['--once'] : []),
];

describe('a command without the secrets of the service', () => {
  it.each(COMMANDS.map((one) => [one.name, one] as const))('makes none: %s', async (_, one) => {
    const before = await sealed();
    const { code, out } = await runOpsHere(argsOf(one), { DATABASE_URL: url, LOCAL_DIR: local });
    expect([await readdir(local), await sealed()]).toEqual([[], before]);
    for (const secret of one.secrets ?? [])
      expect([code, out]).toEqual([2, expect.stringMatching(new RegExp(`^${secret}: missing`))]);
    expect(out).not.toMatch(/\n\s+at /);
  });

  it.each(COMMANDS.filter(({ secrets }) => secrets !== undefined).map((one) => [one.name, one] as const))(
    'changes no row and ends with 2, whatever NODE_ENV says and whatever lies in LOCAL_DIR: %s',
    async (_, one) => {
      await makeLocalSecrets(local);
      const before = await everything();
      for (const NODE_ENV of ['development', 'test', 'production', '']) {
        const { code } = await runOpsHere(argsOf(one), { DATABASE_URL: url, LOCAL_DIR: local, NODE_ENV });
        expect([NODE_ENV, code]).toEqual([NODE_ENV, 2]);
      }
      // A local world with a database of its own changes nothing about this one.
      const none = {
        chatUrl: null,
        rpcUrl: null,
        wsUrl: null,
        botApiUrl: null,
        openApiUrl: null,
        proApiUrl: null,
      };
      const world = { ...none, chartUrl: null, mailUrl: null, smtpUrl: null, pid: process.pid };
      writeRunFile(local, { ...world, databaseUrl: 'postgresql://a:b@127.0.0.1:1/c' });
      expect((await runOpsHere(argsOf(one), { DATABASE_URL: url, LOCAL_DIR: local })).code).toBe(2);
      expect(await everything()).toBe(before);
    },
  );

  it('as the process that operators start: kek rotate changes nothing', async () => {
    const before = await everything();
    const { code, out } = await runOps(['kek', 'rotate'], {
      DATABASE_URL: url,
      LOCAL_DIR: local,
      NODE_ENV: '',
    });
    expect([code, out]).toEqual([2, expect.stringMatching(/^KEK_FILE: missing\. /m)]);
    expect([await readdir(local), await everything()]).toEqual([[], before]);
  });

  it('finds those of the local world beside its own database, and makes none there either', async () => {
    const none = {
      chatUrl: null,
      rpcUrl: null,
      wsUrl: null,
      botApiUrl: null,
      openApiUrl: null,
      proApiUrl: null,
    };
    writeRunFile(local, {
      ...none,
      chartUrl: null,
      mailUrl: null,
      smtpUrl: null,
      pid: process.pid,
      databaseUrl: url,
    });
    const before = await everything();
    for (const args of [
      ['kek', 'status'],
      ['kek', 'rotate'],
      ['api-key', 'issue', 'acme'],
    ])
      expect([args, (await runOpsHere(args, { LOCAL_DIR: local })).code]).toEqual([args, 2]);
    expect([await readdir(local), await everything()]).toEqual([['run.json'], before]);
    await makeLocalSecrets(local);
    expect((await runOpsHere(['api-key', 'issue', 'acme'], { LOCAL_DIR: local })).code).toBe(0);
  });
});

describe('the key that wallets are moved to', () => {
  const rotate = (env: Readonly<Record<string, string>>, ...more: string[]) =>
    runOpsHere(['kek', 'rotate', ...more], { DATABASE_URL: url, LOCAL_DIR: local, ...env });

  it.each([
    [
      'of another installation',
      async () => keyFile(`other-${randomBytes(4).toString('hex')}`),
      'is the key of another installation',
    ],
    ['empty', async () => keyFile(`empty-${randomBytes(4).toString('hex')}`, ''), 'must hold 32 bytes'],
    ['not there', async () => join(folder, 'nowhere'), 'there is no such file'],
    [
      'a folder',
      async () => {
        const path = join(folder, `folder-${randomBytes(4).toString('hex')}`);
        await mkdir(path);
        await chmod(path, 0o755);
        return path;
      },
      'it is a folder. Name the file in KEK_FILE',
    ],
  ])('is refused when its file is %s, also with --to', async (_, make, sentence) => {
    const KEK_FILE = await make();
    const before = await everything();
    const to = await kekFromFile(KEK_FILE).then(
      ({ id }) => keyDigits(id),
      () => '00000000',
    );
    for (const more of [[], ['--to', to]]) {
      const { code, out } = await rotate({ KEK_FILE }, ...more);
      expect([more, code === 0, out]).toEqual([more, false, expect.stringContaining(sentence)]);
    }
    expect(await everything()).toBe(before);
  });

  it('is named by its digits where it never sealed anything here, and again once it was retired', async () => {
    const fresh = await keyFile('fresh');
    const { id } = await kekFromFile(fresh);
    const env = { KEK_FILE: fresh, KEK_OLD_FILES: ours };
    const before = await everything();
    const unnamed = await rotate(env);
    expect([unnamed.code, unnamed.out]).toEqual([2, expect.stringContaining(`--to ${keyDigits(id)}`)]);
    const wrong = await rotate(env, '--to', '12345678');
    expect([wrong.code, wrong.out]).toEqual([2, expect.stringContaining(`with the digits ${keyDigits(id)}`)]);
    expect(await everything()).toBe(before);
    const status = await runOpsHere(['kek', 'status'], { DATABASE_URL: url, LOCAL_DIR: local, ...env });
    expect(status.out).toContain(`its digits   ${keyDigits(id)}  (it never sealed anything here)`);

    const old = (await kekFromFile(ours)).id;
    const moved = await rotate(env, '--to', keyDigits(id));
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining(`${old} seals nothing any more`)]);
    expect((await rotate(env)).code).toBe(0);
    const rows = await administer(
      url,
      'SELECT kek_id, retired_at IS NULL AS used, probe IS NULL AS bare FROM key_registry ORDER BY first_seen',
    );
    expect(rows).toEqual([
      { kek_id: old, used: false, bare: false },
      { kek_id: id, used: true, bare: false },
    ]);
    const back = { KEK_FILE: ours, KEK_OLD_FILES: fresh };
    expect((await rotate(back)).code).toBe(2);
    expect((await rotate(back, '--to', keyDigits(old))).code).toBe(0);
    // Retired now: an operator who names it again by mistake is asked.
    const again = await rotate(env);
    expect([again.code, again.out]).toEqual([2, expect.stringContaining(`${id} was retired here`)]);
  });
});
