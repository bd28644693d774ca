import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { assertAdopted } from '../../src/engine/signing/use/adopt-rows.ts';
import { emptyGuard } from '../../src/modules/guard/rules/guard.ts';
import { newGroup } from '../../src/modules/orders/use/draft.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { copyRow } from '../conformance/copy-store.ts';
import { NOW, newAddress, newId, secretRow, userRow, walletRow } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';
import { PURCHASE, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';

let folder: string;
let db: PrismaDatabase;
let env: Readonly<Record<string, string>>;
let personId: string;
let walletId: string;
let orderId: string;
const ops = (...more: readonly string[]) => runOpsHere(['trust', 'adopt', ...more], env);
const rows = () => createCertificateRows(db.query);
const certificates = async (): Promise<number> => {
  const [row] = await db.query<{ readonly count: number }>(
    `SELECT ((SELECT count(certificate) FROM users) + (SELECT count(certificate) FROM wallets)
       + (SELECT count(payout_certificate) FROM wallets) + (SELECT count(certificate) FROM orders))::int AS count`,
    [],
  );
  return row?.count ?? -1;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-'));
  const url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  const kek = join(folder, 'kek');
  await writeFile(kek, randomBytes(32).toString('hex'), { mode: 0o400 });
  env = { DATABASE_URL: url, LOCAL_DIR: folder, KEK_FILE: kek };
  const vault = createVault({
    keyring: keyring(await kekFromFile(kek)),
    secrets: db.wallets,
    venuePrograms: [],
  });
  personId = (await db.users.insert(userRow())).user.id;
  for (const userId of [personId, null]) {
    const id = newId();
    const secret = await vault.create({ walletId: id, userId });
    await db.wallets.insert(PASSED, walletRow({ id, userId, address: secret.publicKey }), secret);
    if (userId !== null) walletId = id;
  }
  await db.query('UPDATE wallets SET payout_from = now() WHERE id = $1', [walletId]);
  const booked = {
    id: newId(),
    userId: personId,
    walletId,
    address: newAddress(),
    name: 'Cold',
    addedAt: NOW,
  };
  await db.addressBook.insert(PASSED, booked);
  await db.guards.save({ ...emptyGuard(personId), pinHash: 'a hash', pinSetAt: NOW }, PASSED);
  const group = newGroup(
    {
      userId: personId,
      walletId,
      mint: newAddress(),
      placeKey: newId(),
      kind: 'SINGLE',
      units: SOL,
      drafts: [PURCHASE],
      expiresAt: NOW,
      slippageBps: 500,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId: null,
    },
    { id: newId, now: NOW, depthLamports: null },
  );
  const [order] = group.orders;
  if (order === undefined) throw new Error('one order');
  orderId = order.id;
  const over = { ...order, id: newId(), status: 'CANCELLED' } as const;
  await db.orders.insert(PASSED, { ...group, orders: [order, over] });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

it('leaves a database of an earlier release as it is until the operator says yes', async () => {
  await expect(assertAdopted(rows())).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(await ops('--again')).toMatchObject({ code: 2 });
  expect(await ops()).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^1 people, 2 wallets and 1 open orders have no certificate\n1 choices of a wallet for payouts or deposits have none\n1 guards have none\n1 addresses of books have none\nNothing was written/,
    ),
  });
  expect(await certificates()).toBe(0);
});

it('certifies what holds, and leaves a wallet whose key is not here', async () => {
  const odd = walletRow({ userId: personId, name: 'Odd' });
  await db.wallets.insert(PASSED, odd, secretRow(odd));
  const told = await ops('--yes');
  expect(told.code).toBe(1);
  expect(told.out).toContain(`LEFT wallet ${odd.id} ${odd.address}`);
  expect(told.out).toMatch(/They are certified\.\n$/);
  expect(await certificates()).toBe(5);
  await assertAdopted(rows());
  const act = await db.auditLog.list({ act: 'operator-command' }, { limit: 1, offset: 0 });
  expect(act[0]?.details).toMatchObject({
    command: 'trust adopt',
    words: [
      '1 people',
      '2 wallets',
      '1 orders',
      '1 choices',
      '1 guards',
      '1 addresses',
      '0 copies',
      '0 periods',
    ],
  });
  await db.query('DELETE FROM wallet_secrets WHERE wallet_id = $1', [odd.id]);
  await db.query('DELETE FROM wallets WHERE id = $1', [odd.id]);
});

it('says so of a row that was changed since, and certifies no row that lost its certificate without a look', async () => {
  expect(await ops()).toMatchObject({
    code: 0,
    out: '0 people, 0 wallets and 0 open orders have no certificate\n',
  });
  await db.query('UPDATE users SET telegram_id = telegram_id + 1 WHERE id = $1', [personId]);
  expect(await ops('--yes', '--again')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`FORGED users ${personId}`),
  });
  await db.query('UPDATE users SET certificate = NULL WHERE id = $1', [personId]);
  for (const words of [[], ['--yes']])
    expect(await ops(...words)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Others have one: somebody wrote or changed these rows/),
    });
  expect(await certificates()).toBe(4);
  expect(await ops('--yes', '--again')).toMatchObject({ code: 0 });
  expect(await certificates()).toBe(5);
});

it('certifies no address that the sealed key does not give', async () => {
  await db.query('UPDATE wallets SET address = $2, certificate = NULL WHERE id = $1', [
    walletId,
    newAddress(),
  ]);
  expect(await ops('--yes', '--again')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`LEFT wallet ${walletId}`),
  });
  expect(await certificates()).toBe(4);
});

it('certifies orders of an earlier release, and names those that were changed or slipped in since', async () => {
  const set = (what: string) => db.query(`UPDATE orders SET ${what} WHERE id = $1`, [orderId]);
  // The release before: people and wallets have certificates, no order has one.
  await db.query('UPDATE wallets SET certificate = NULL WHERE id = $1', [walletId]);
  await db.query('UPDATE orders SET certificate = NULL', []);
  await expect(assertAdopted(rows())).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    details: { problems: [expect.stringContaining('The open orders of this database')] },
  });
  await db.query('UPDATE orders SET certificate = $1 WHERE id <> $2', ['of another order', orderId]);
  await assertAdopted(rows());
  expect(await ops('--yes')).toMatchObject({ code: 1, out: expect.stringContaining('Others have one') });
  expect(await ops('--yes', '--again')).toMatchObject({
    code: 1,
    out: expect.stringContaining('LEFT wallet'),
  });
  await set('trigger_got = trigger_got + 1');
  expect(await ops()).toMatchObject({ code: 1, out: expect.stringContaining(`FORGED orders ${orderId}`) });
});

it('certifies guards of an earlier release, and repairs forged ones after a look', async () => {
  await db.query('UPDATE orders SET trigger_got = trigger_got - 1 WHERE id = $1', [orderId]);
  const guard = async () => (await rows().guards('', 10))[0]?.guard;
  const before = await guard();
  await db.query('UPDATE guards SET spend_cap_lamports = 9000000000', []);
  expect(await ops()).toMatchObject({ code: 1, out: expect.stringContaining(`FORGED guards ${personId}`) });
  await ops('--yes');
  expect(await guard()).toMatchObject({ version: before?.version, certificate: before?.certificate });
  expect((await ops('--yes', '--again')).out).toMatch(/They are certified\.\n$/);
  expect((await guard())?.version).toBeGreaterThan(before?.version ?? 0);
  expect((await ops()).out).not.toContain('FORGED guards');
  // People who never set anything cost no question.
  await db.query('UPDATE guards SET certificate = NULL', []);
  await expect(assertAdopted(rows())).rejects.toMatchObject({
    details: { problems: [expect.stringContaining('The guards of this database')] },
  });
});

it('names a mandate that was changed or slipped in, and certifies none without a look', async () => {
  const copy = copyRow({ userId: personId, walletId }, { certificate: null });
  await db.copies.insert(PASSED, copy);
  await db.copies.insert(
    PASSED,
    copyRow({ userId: personId, walletId }, { status: 'ENDED', certificate: null }),
  );
  const certificate = async () => (await rows().copies('', 10)).map((one) => one.certificate);
  const none = { code: 1, out: expect.stringContaining('1 mandates of copies have none') };
  for (const words of [[], ['--yes']]) expect(await ops(...words)).toMatchObject(none);
  expect(await certificate()).toEqual([null]);
  await ops('--yes', '--again');
  expect(await certificate()).toEqual([expect.any(String)]);
  expect((await ops()).out).not.toMatch(/copies/);
  for (const change of [
    'lock_epoch = lock_epoch + 1',
    `rules = jsonb_set(rules, '{each}', 'true')`,
    `until = until + interval '1 day'`,
  ]) {
    await db.query(`UPDATE copies SET ${change} WHERE id = $1`, [copy.id]);
    expect(await ops(), change).toMatchObject({
      code: 1,
      out: expect.stringContaining(`FORGED copies ${copy.id}`),
    });
    await db.copies.save(PASSED, {
      ...copy,
      certificate: (await certificate())[0] ?? null,
      version: (await db.copies.find(copy.id))?.version ?? 0,
    });
    expect((await ops()).out, change).not.toMatch(/copies/);
  }
});
