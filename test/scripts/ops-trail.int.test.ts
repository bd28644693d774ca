import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { keyDigits } from '../../src/platform/vault/prove-key.ts';
import { newId, userRow, walletRow } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { PASSED } from '../support/passed.ts';

const TELEGRAM_ID = 4_242n;
/** Everything that the commands below change, and nothing that a look changes. */
const STATE = `SELECT jsonb_build_object(
  'keys', (SELECT jsonb_agg(k ORDER BY id) FROM api_keys k), 'flags', (SELECT jsonb_agg(f ORDER BY flag) FROM system_flags f),
  'stocks', (SELECT jsonb_agg(s ORDER BY item) FROM point_stocks s), 'periods', (SELECT jsonb_agg(p ORDER BY number) FROM convert_periods p),
  'guards', (SELECT jsonb_agg(g ORDER BY user_id) FROM guards g), 'keks', (SELECT jsonb_agg(w.kek_id ORDER BY wallet_id) FROM wallet_secrets w),
  'mails', (SELECT jsonb_agg(m ORDER BY id) FROM mails m))::text AS state`;
/** No act can be written down. */
const REFUSE = `CREATE FUNCTION refuse_act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no trail'; END $$;
  CREATE TRIGGER refuse_act BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_act()`;

describe('what an operator does is in the trail, or is not done', () => {
  let folder: string;
  let url: string;
  let db: PrismaDatabase;
  let env: Readonly<Record<string, string>>;
  let digits: string;
  let keyId: string;
  let mailId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trail-'));
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    const [old, fresh] = [join(folder, 'old'), join(folder, 'new')];
    for (const path of [old, fresh]) await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o400 });
    env = {
      DATABASE_URL: url,
      LOCAL_DIR: folder,
      KEK_FILE: fresh,
      KEK_OLD_FILES: old,
      API_KEY_SECRET: 'ab'.repeat(32),
    };
    digits = keyDigits((await kekFromFile(fresh)).id);
    const { user } = await db.users.insert(userRow({ telegramId: TELEGRAM_ID }));
    const vault = createVault({
      keyring: keyring(await kekFromFile(old)),
      secrets: db.wallets,
      venuePrograms: [],
    });
    for (const userId of [user.id, null]) {
      const walletId = newId();
      const secret = await vault.create({ walletId, userId });
      await db.wallets.insert(PASSED, walletRow({ id: walletId, userId, address: secret.publicKey }), secret);
    }
    await db.guards.save(
      { ...(await db.guards.find(user.id)), totpBox: 'box', totpStep: 1, frozenAt: 1 },
      PASSED,
    );
    // As a signer would have certified them: an operator's command changes no guard without a certificate.
    expect(await ops('trust', 'adopt', '--yes')).toMatchObject({ code: 0 });
    expect(await ops('api-key', 'issue', 'acme')).toMatchObject({ code: 0 });
    keyId = (await db.apiKeys.list())[0]?.id ?? '';
    expect(await ops('convert', 'announce', '1', '2099-01-01', '2099-01-08')).toMatchObject({ code: 0 });
    mailId = newId();
    await db.mails.insert({
      id: mailId,
      to: 'a@b.example',
      template: 'rotate',
      subject: keyId,
      args: { key: keyId },
      status: 'sent',
      attempts: 1,
      lastError: null,
      createdAt: Date.now(),
      dueAt: Date.now(),
    });
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ops = (...args: string[]) => runOpsHere(args, env);
  const state = async () => (await administer(url, STATE))[0]?.['state'];
  /** In an order in which each has something to do. */
  const commands = (): readonly (readonly string[])[] => [
    ['pause', 'trading', '--reason', 'a drill'],
    ['resume', 'trading'],
    ['api-key', 'issue', 'acme'],
    ['api-key', 'rotate', keyId],
    ['api-key', 'revoke', keyId],
    ['mail', 'bounced', mailId],
    ['mail', 'again', mailId],
    ['second-factor', 'end', String(TELEGRAM_ID)],
    ['freeze', 'end', '4242', '--reason', 'a call', '--confirm', '4242 may move money again'],
    ['points', 'budget', '1'],
    ['points', 'stock', 'code-1', '3'],
    ['convert', 'announce', '1', '2098-01-01', '2098-01-08'],
    ['convert', 'cancel', '1'],
    ['kek', 'rotate', '--to', digits],
  ];

  it('one commit holds the act and its row: without the row nothing is changed', async () => {
    for (const args of commands()) {
      const before = await state();
      await administer(url, REFUSE);
      const refused = await ops(...args);
      expect([args, refused.code === 0, await state()]).toEqual([args, false, before]);
      await administer(url, 'DROP FUNCTION refuse_act() CASCADE');
      const acts = await db.auditLog.list({}, { limit: 1_000, offset: 0 });
      expect([args, await ops(...args)]).toEqual([args, expect.objectContaining({ code: 0 })]);
      expect([args, (await state()) === before]).toEqual([args, false]);
      const [newest, ...older] = await db.auditLog.list({}, { limit: 1_000, offset: 0 });
      expect([args, older]).toEqual([args, acts]);
      expect(newest).toMatchObject({ actor: expect.stringMatching(/^operator:/), outcome: 'done' });
    }
    const [rotated] = await db.auditLog.list({ act: 'kek-rotated' }, { limit: 9, offset: 0 });
    expect(rotated?.details).toMatchObject({ rewrapped: 2, unreadable: 0 });
  });

  it('nor is a dump restored', async () => {
    const path = join(folder, 'a.dump');
    expect((await ops('dump', path)).code).toBe(0);
    const copy = await createEmptyDatabase();
    const into = { ...env, DATABASE_URL: copy };
    expect((await runOpsHere(['restore', path], into)).code).toBe(0);
    const wallets = async () => (await administer(copy, 'SELECT count(*)::text AS n FROM wallets'))[0]?.['n'];
    expect(await wallets()).toBe('2');
    await administer(copy, `${REFUSE}; TRUNCATE wallets, wallet_secrets, users CASCADE`);
    expect((await runOpsHere(['restore', path], into)).code).toBe(1);
    expect(await wallets()).toBe('0');
    const { out } = await runOpsHere(['audit-log'], into);
    expect(out).toMatch(/operator-command {2}command="restore"/);
  });

  it('a rotation that leaves wallets unread says so, and one that finds nothing to do', async () => {
    expect((await ops('kek', 'rotate')).code).toBe(0);
    await administer(
      url,
      `UPDATE wallet_secrets SET kek_id = 'lost', wrapped_dek = '\\x00' WHERE user_id IS NULL`,
    );
    expect((await ops('kek', 'rotate')).code).toBe(1);
    const acts = await db.auditLog.list({ act: 'kek-rotated' }, { limit: 2, offset: 0 });
    expect(acts.map(({ outcome, details }) => [outcome, details])).toEqual([
      ['refused', expect.objectContaining({ rewrapped: 0, unreadable: 1 })],
      ['unchanged', expect.objectContaining({ rewrapped: 0, unreadable: 0 })],
    ]);
  });
});
