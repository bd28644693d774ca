import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyedTrade } from '../../src/modules/personal-keys/rules/keyed-trade.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import type { Program } from '../api/program.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import { keyedRig, SOL, TRADE } from '../engine/signing/keyed-rig.ts';
import { createTestDatabase } from '../support/database.ts';
import { PASSED } from '../support/passed.ts';
import { columnsOf } from './columns.ts';

/** Trades that a program of a person signed, while a writer of the database changes any row between its request and the signature. */
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
    '%s: changed, it confirms and signs nothing',
    async (column) => {
      const id = await rig.trades(by, TRADE);
      await tamper(`UPDATE personal_keys SET ${other[column]?.() ?? ''} WHERE id = '${by.key.id}'`);
      await signsNothing(rig.signs(id));
      await signsNothing(rig.trades(by, { ...TRADE, idempotencyKey: 'two' }));
    },
  );

  it('of a key that its person ended and a writer opened again: it confirms within its caps, until a lock', async () => {
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
