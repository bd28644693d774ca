import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyedTrade } from '../../src/modules/personal-keys/rules/keyed-trade.ts';
import { endKey } from '../../src/modules/personal-keys/use/manage-keys.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import type { Program } from '../api/program.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import {
  fireOf,
  fires,
  honestFacts,
  ORDER_TERMS,
  orderAt,
  places,
  signedOrder,
  storeOrder,
} from '../engine/signing/keyed-order-rig.ts';
import { keyedRig, SOL, TRADE } from '../engine/signing/keyed-rig.ts';
import { createTestDatabase } from '../support/database.ts';
import { PASSED } from '../support/passed.ts';
import { columnsOf } from './columns.ts';

/** Trades and orders that a program of a person signed, while a writer of the database changes any row between its request and the signature. */
const STRANGER = createCertifier(new Uint8Array(32).fill(12));
const REFUSED =
  /^(POLICY_DENIED|ROW_FORGED|ROW_INVALID|KEY_REQUEST_REFUSED|WALLET_NOT_FOUND|ACCOUNT_FROZEN)$/;

let db: PrismaDatabase;
let rig: Awaited<ReturnType<typeof keyedRig>>;
let by: Program;

beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());
beforeEach(async () => {
  rig = await keyedRig(db);
  by = await rig.program();
});

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

/** A refusal by a rule of the signer, and no other error. */
const signsNothing = async (work: Promise<unknown>): Promise<void> => {
  await expect(work).rejects.toMatchObject({ code: expect.stringMatching(REFUSED) });
};

describe('the intent of a signed request', () => {
  const inParams = (path: string, value: string): string =>
    `params = jsonb_set(params, '{${path}}', '${value}'::jsonb)`;
  it.each<readonly [string, () => string]>([
    ['kind', () => `kind = 'sell', ${inParams('kind', '"sell"')}`],
    ['wallet_id', () => `wallet_id = '${newId()}'`],
    ['user_id', () => `user_id = '${newId()}'`],
    ['idem_key', () => `idem_key = 'pkey:${by.key.id}:other'`],
    ['idem_key, as that of a tap', () => `idem_key = '${newId()}'`],
    ['confirmation', () => `confirmation = NULL`],
    ['mint', () => inParams('mint', `"${newAddress()}"`)],
    ['lamportsIn', () => inParams('lamportsIn', '"1000000001"')],
    ['terms.amountIn', () => inParams('terms,amountIn', '"1000000001"')],
    ['terms.minOut', () => inParams('terms,minOut', '"1"')],
    ['terms.quotedOut', () => inParams('terms,quotedOut', '"1"')],
    ['terms.slippageBps', () => inParams('terms,slippageBps', '9999')],
    ['terms.platformFeeLamports', () => inParams('terms,platformFeeLamports', '"1"')],
    ['tier', () => inParams('tier', '"turbo"')],
    ['legs', () => inParams('legs', 'true')],
  ])('signs nothing with another %s', async (_, change) => {
    const id = await rig.trades(by, TRADE);
    await tamper(`UPDATE intents SET ${change()} WHERE id = '${id}'`);
    await signsNothing(rig.signs(id));
  });

  it.each(['confirmation', 'params', 'idem_key'])(
    'signs nothing with the %s of another one',
    async (column) => {
      const other = await rig.trades(by, { ...TRADE, idempotencyKey: newId(), amount: SOL / 2n });
      const id = await rig.trades(by, { ...TRADE, idempotencyKey: newId() });
      await tamper(
        `CREATE TEMP TABLE taken ON COMMIT DROP AS SELECT ${column} AS value FROM intents WHERE id = '${other}'`,
        ...(column === 'idem_key' ? [`UPDATE intents SET idem_key = id WHERE id = '${other}'`] : []),
        `UPDATE intents SET ${column} = (SELECT value FROM taken) WHERE id = '${id}'`,
      );
      await signsNothing(rig.signs(id));
    },
  );

  it('signs nothing that is older than a day, nor beside another one of its idempotency key', async () => {
    const lost = rig.requestOf(by, TRADE);
    const confirmation = await rig.vault.confirmKeyed({ request: lost, signed: rig.signed(by, TRADE) });
    const id = await rig.trades(by, TRADE);
    expect(await rig.signs(id)).toHaveLength(64);
    rig.lands();
    // One request, sent twice: the second intent takes the place of the first.
    await tamper(`UPDATE intents SET idem_key = '${newId()}' WHERE id = '${id}'`);
    await rig.store(lost, confirmation);
    await expect(rig.signs(lost.id)).rejects.toMatchObject({ details: { rule: 'personal-key' } });
    const old = await rig.trades(by, { ...TRADE, idempotencyKey: 'old' });
    rig.clock.advance(86_400_001);
    await rig.beat();
    await expect(rig.signs(old)).rejects.toMatchObject({ details: { rule: 'personal-key' } });
  });
});

describe('the row of the key', () => {
  const other: Readonly<Record<string, () => string>> = {
    id: () => `id = '${newId()}'`,
    user_id: () => `user_id = '${newId()}'`,
    wallet_id: () => `wallet_id = '${newId()}'`,
    public_key: () => `public_key = '${newAddress()}'`,
    host: () => `host = 'other.example'`,
    terms: () => `terms = jsonb_set(terms, '{dayLamports}', '"99000000000"'::jsonb)`,
    lock_epoch: () => `lock_epoch = lock_epoch + 1`,
    until: () => `until = until + interval '1 day'`,
    certificate: () => `certificate = '${STRANGER.personalKey(by.key)}'`,
  };

  it.each(columnsOf('personal_keys', 'sealed'))(
    '%s: changed, it confirms, certifies and signs nothing',
    async (column) => {
      const placing = await rig.program({ terms: ORDER_TERMS });
      const order = orderAt(rig.clock.now());
      await places(rig, placing, order);
      const change = column === 'certificate' ? STRANGER.personalKey(placing.key) : null;
      await tamper(
        `UPDATE personal_keys SET ${change === null ? (other[column]?.() ?? '') : `certificate = '${change}'`} WHERE id = '${placing.key.id}'`,
      );
      await signsNothing(places(rig, placing, { ...order, idempotencyKey: 'two' }));
      const id = await rig.trades(by, TRADE);
      await tamper(`UPDATE personal_keys SET ${other[column]?.() ?? ''} WHERE id = '${by.key.id}'`);
      await signsNothing(rig.signs(id));
      await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'two' }));
    },
  );

  const REOPENED: readonly (readonly [string, () => readonly string[]])[] = [
    ['opened again', () => [`UPDATE personal_keys SET ended_at = NULL WHERE id = '${by.key.id}'`]],
    [
      'taken away and put back',
      () => [
        'CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM personal_keys',
        'DELETE FROM personal_keys',
        'UPDATE kept SET ended_at = NULL',
        'INSERT INTO personal_keys SELECT * FROM kept',
      ],
    ],
  ];

  it.each(REOPENED)('of a key that its person ended, %s: it confirms and signs nothing', async (_, again) => {
    const id = await rig.trades(by, TRADE);
    await endKey({ db, clock: rig.clock, vault: rig.vault }, { userId: rig.of.userId, keyId: by.key.id });
    await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'a' }));
    await tamper(...again());
    expect((await db.personalKeys.find(by.key.id))?.endedAt).toBeNull();
    await expect(rig.trades(by, { ...TRADE, idempotencyKey: 'b' })).rejects.toMatchObject({
      code: 'KEY_REQUEST_REFUSED',
      details: { why: 'ended' },
    });
    await expect(rig.signs(id)).rejects.toMatchObject({ details: { rule: 'personal-key' } });
    rig.clock.advance(29 * 86_400_000);
    await rig.beat();
    await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'c' }));
  });

  it('of a key that a writer hid or changed: its person ends it all the same, and no stranger does', async () => {
    const ends = (userId: string) => rig.vault.endPersonalKey({ userId, keyId: by.key.id });
    await expect(ends(newId())).rejects.toMatchObject({ details: { rule: 'personal-key' } });
    expect(await rig.trades(by, TRADE)).toBeDefined();
    await tamper(`UPDATE personal_keys SET user_id = 'x' || id`);
    await ends(rig.of.userId);
    await tamper(`UPDATE personal_keys SET user_id = '${rig.of.userId}'`);
    await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'a' }));
    const other = await rig.program();
    await tamper(
      `CREATE TABLE kept AS SELECT * FROM personal_keys WHERE id = '${other.key.id}'`,
      `DELETE FROM personal_keys WHERE id = '${other.key.id}'`,
    );
    await rig.vault.endPersonalKey({ userId: rig.of.userId, keyId: other.key.id });
    await tamper('INSERT INTO personal_keys SELECT * FROM kept', 'DROP TABLE kept');
    await signsNothing(rig.trades(other, { ...TRADE, idempotencyKey: 'b' }));
  });

  it('of a key that was ended where no signer was asked: it confirms within its caps, until a lock', async () => {
    await db.personalKeys.end(PASSED, by.key, rig.clock.now());
    await signsNothing(rig.trades(by, TRADE));
    await tamper(`UPDATE personal_keys SET ended_at = NULL WHERE id = '${by.key.id}'`);
    for (const n of ['a', 'b', 'c']) await rig.trades(by, { ...TRADE, idempotencyKey: n });
    await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'd' }));
    // A lock is in the certified guard: it ends the key for good.
    const guard = await db.guards.find(rig.of.userId);
    await db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
    await tamper(`UPDATE personal_keys SET ended_at = NULL WHERE id = '${by.key.id}'`);
    rig.clock.advance(86_400_001);
    await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'e' }));
  });
});

describe('the day of a key, when a writer changed its uses', () => {
  const WAYS: readonly (readonly [string, (keyId: string) => string])[] = [
    ['gone', (id) => `DELETE FROM personal_key_uses WHERE key_id = '${id}'`],
    ['lowered', (id) => `UPDATE personal_key_uses SET lamports = 0 WHERE key_id = '${id}'`],
    ['of long ago', (id) => `UPDATE personal_key_uses SET at = '2001-01-01' WHERE key_id = '${id}'`],
    ['of another key', (id) => `UPDATE personal_key_uses SET key_id = 'x' || nonce WHERE key_id = '${id}'`],
  ];

  it.each(WAYS)('lets no more be bought: %s', async (_, change) => {
    for (const n of ['a', 'b', 'c']) {
      await rig.trades(by, { ...TRADE, idempotencyKey: n });
      await tamper(change(by.key.id));
    }
    const more: KeyedTrade = { ...TRADE, amount: 1n, idempotencyKey: 'd' };
    await expect(rig.trades(by, more)).rejects.toMatchObject({ details: { why: 'day-cap' } });
  });

  it('takes no nonce twice: the rows of nonces and uses are gone, and the same bytes come again', async () => {
    const signed = rig.signed(by, TRADE);
    await rig.vault.confirmKeyed({ request: rig.requestOf(by, TRADE), signed });
    await tamper(`DELETE FROM personal_key_uses`, `DELETE FROM personal_key_nonces`);
    await expect(rig.vault.confirmKeyed({ request: rig.requestOf(by, TRADE), signed })).rejects.toMatchObject(
      { details: { why: 'replayed' } },
    );
  });
});

describe('the rows of an order that a program placed', () => {
  const OTHER: Readonly<Record<string, () => string>> = {
    id: () => `'${newId()}'`,
    user_id: () => `'${newId()}'`,
    wallet_id: () => `'${newId()}'`,
    mint: () => `'${newAddress()}'`,
    side: () => `'sell'`,
    type: () => `'STOP_BUY'`,
    amount: () => 'amount + 1',
    share_bps: () => '5000',
    unit: () => `'USD'`,
    trigger_got: () => 'trigger_got - 1',
    trigger_given: () => 'trigger_given + 1',
    hold_slots: () => 'hold_slots + 5',
    partial: () => 'NOT partial',
    terms: () => `jsonb_set(terms, '{toleranceBps}', '5000'::jsonb)`,
    expires_at: () => `expires_at + interval '1 day'`,
    certificate: () => `'${STRANGER.order(honestFacts(by, orderAt(rig.clock.now())))}'`,
  };
  beforeEach(async () => {
    by = await rig.program({ terms: ORDER_TERMS });
  });
  const change = (id: string, columns: string) => tamper(`UPDATE orders SET ${columns} WHERE id = '${id}'`);

  it('fires as it was signed', async () => {
    expect(await fires(rig, await places(rig, by, orderAt(rig.clock.now())))).toEqual(expect.any(String));
  });

  it.each(columnsOf('orders', 'sealed'))('%s: changed, it fires nothing', async (column) => {
    const id = await places(rig, by, orderAt(rig.clock.now()));
    // An amount in units goes before a share of the group.
    const also = column === 'share_bps' ? 'amount = NULL, ' : '';
    const group = (await db.orders.find(id))?.id ?? '';
    await change(id, `${also}${column} = ${OTHER[column]?.() ?? ''}`);
    const [row] = await db.query<{ readonly id: string }>('SELECT id FROM orders WHERE group_id = $1', [
      group,
    ]);
    await signsNothing(fires(rig, row?.id ?? ''));
  });

  it.each<readonly [string, string]>([
    ['toleranceBps', '5000'],
    ['slippageBps', '501'],
    ['tier', '"turbo"'],
    ['floor', '{"got":{"$bigint":"1"},"given":{"$bigint":"1"}}'],
    ['trailing', '{"bps":100,"activation":null}'],
    ['sellsOnExpiry', 'true'],
    ['accepted', '["MINT_AUTHORITY"]'],
    ['supply', '{"$bigint":"1"}'],
    ['depthLamports', 'null'],
    ['grants', `{"steep":true,"doubts":[],"lockEpoch":0,"until":9999999999999}`],
    ['agreedAt', '1'],
    ['program,lockEpoch', '1'],
  ])('terms.%s: changed, it fires nothing', async (path, value) => {
    const id = await places(rig, by, orderAt(rig.clock.now()));
    await change(id, `terms = jsonb_set(terms, '{${path}}', '${value}'::jsonb)`);
    await signsNothing(fires(rig, id));
  });

  it('fires nothing without the mark of its key, and nothing after a lock, also where a writer opened it again', async () => {
    const unmarked = await places(rig, by, orderAt(rig.clock.now()));
    await change(unmarked, `terms = terms - 'program'`);
    await signsNothing(fires(rig, unmarked));
    const id = await places(rig, by, orderAt(rig.clock.now(), { idempotencyKey: 'two' }));
    const guard = await db.guards.find(rig.of.userId);
    await db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
    expect(await db.orders.pauseGranted(rig.of.userId)).toBe(1);
    await change(id, `status = 'OPEN', reason = NULL`);
    await signsNothing(fires(rig, id));
  });

  it('fires no row that a writer made up, nor one under the certificate of another request', async () => {
    const order = orderAt(rig.clock.now());
    const more = { ...order, amount: { kind: 'fixed', units: 2n * SOL } as const, idempotencyKey: 'more' };
    const made = await storeOrder(rig, honestFacts(by, more), 'given', newId());
    await signsNothing(fires(rig, made));
    const facts = honestFacts(by, order);
    const signed = signedOrder(rig, by, order);
    const certificate = await rig.vault.certifyKeyedOrder({ order: facts, signed });
    await change(made, `certificate = '${certificate}'`);
    await signsNothing(fires(rig, made));
    // The rows of nonces and uses are gone, and the same bytes come again.
    await tamper(`DELETE FROM personal_key_uses`, `DELETE FROM personal_key_nonces`);
    await expect(rig.vault.certifyKeyedOrder({ order: facts, signed })).rejects.toMatchObject({
      details: { why: 'replayed' },
    });
  });

  it('makes no second order of one idempotency key: a copied row has its name, and one name fires once', async () => {
    const order = orderAt(rig.clock.now());
    const id = await places(rig, by, order);
    const fire = await fireOf(rig, id);
    await rig.store(fire, await rig.vault.confirmFire(fire));
    expect(await rig.signs(fire.id)).toHaveLength(64);
    rig.lands();
    // Its rows are gone, and the program asks once more with this key.
    await tamper(`DELETE FROM orders WHERE id = '${id}'`, `DELETE FROM order_groups`);
    expect(await places(rig, by, order)).toBe(id);
    await signsNothing(fires(rig, id));
  });
});
