import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createExportWatch } from '../../src/engine/signing/use/export-watch.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { withPin } from '../../src/modules/guard/rules/pin.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { openDepositWallet } from '../../src/modules/wallets/use/open-deposit-wallet.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakePins, TEST_PIN } from '../support/fakes/pins.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { PASSED } from '../support/passed.ts';
import { testSigner } from '../support/signer.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PASSPHRASE = 'a passphrase of twelve';
const clock = fakeClock();
const ids = fakeIds(31);
const pins = fakePins();
let db: PrismaDatabase;
let vault: Vault;
let beat: () => Promise<void>;
let telegramIds = 71_000n;
type Thief = { readonly userId: string; readonly walletId: string; readonly otherId: string };
let own: Thief;
let victim: Thief;

beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
  const { signing, tries, deps } = testSigning({ db, clock });
  vault = testSigner({ db, clock }, { pins, ids, guardRules: PRODUCTION_RULES, signing, tries });
  const watched = { db, clock, ids, guardRules: PRODUCTION_RULES, book: deps.book };
  const log = { error: () => undefined };
  beat = createExportWatch({ ...watched, log, write: (entry) => signing.write(entry) }).beat;
});
afterAll(() => db.close());
beforeEach(async () => {
  [own, victim] = [await comes(), await comes()];
});

/** A person with two wallets and a PIN of two days, which the thief knows. */
async function comes(): Promise<Thief> {
  telegramIds += 1n;
  const arrival = { telegramId: telegramIds, firstName: 'A', language: 'en', inviteCode: null };
  const deps = { db, clock, ids, vault, maxWallets: 5 };
  const { user } = await startUser(deps, arrival);
  const [first, second] = [
    await openDepositWallet(deps, { userId: user.id, expectedCount: 0 }),
    await openDepositWallet(deps, { userId: user.id, expectedCount: 1 }),
  ];
  const guard = withPin(
    await db.guards.find(user.id),
    await pins.hash(TEST_PIN, user.id),
    clock.now() - 2 * DAY,
    PRODUCTION_RULES,
  );
  await db.guards.save(guard, PASSED);
  return { userId: user.id, walletId: first.wallet.id, otherId: second.wallet.id };
}

const ask = async (who: Thief): Promise<string> =>
  (await vault.askExport({ userId: who.userId, walletId: who.walletId, pin: TEST_PIN })).exportId;
const take = (who: Thief, exportId: string): Promise<Uint8Array> =>
  vault.takeExport({ userId: who.userId, exportId, pin: TEST_PIN, passphrase: PASSPHRASE });

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}
const at = (ms: number): string => `'${new Date(ms).toISOString()}'`;
const acts = async (who: Thief): Promise<readonly string[]> =>
  (await db.auditLog.list({ subject: who.userId }, { limit: 50, offset: 0 })).map(({ act }) => act);

async function nothingLeft(exportId: string): Promise<void> {
  for (const who of [own, victim]) {
    await expect(take(who, exportId)).rejects.toMatchObject({
      code: expect.stringMatching(/^(EXPORT_WAITS|ROW_FORGED|WALLET_NOT_FOUND|ROW_INVALID)$/),
    });
    expect(await acts(who)).not.toContain('wallet-exported');
  }
}

describe('rows of key files that another one than the signer wrote, by somebody who knows the PIN', () => {
  it('give nothing where one that is ready is slipped in', async () => {
    const id = ids.ulid();
    await tamper(
      `INSERT INTO exports (id, user_id, wallet_id, asked_at, ready_at, ends_at) VALUES
       ('${id}', '${own.userId}', '${own.walletId}', ${at(clock.now() - DAY)}, ${at(clock.now())}, ${at(clock.now() + DAY)})`,
    );
    await nothingLeft(id);
    await beat();
    await nothingLeft(id);
  });

  it.each([
    ['asked_at', () => at(clock.now() - DAY)],
    ['ready_at', () => at(clock.now())],
    ['ends_at', () => at(clock.now() + 9 * DAY)],
    ['wallet_id', () => `'${own.otherId}'`],
    ['wallet_id', () => `'${victim.walletId}'`],
    ['user_id', () => `'${victim.userId}'`],
  ] as const)('give nothing with another %s, at once or when the day is over', async (column, value) => {
    const id = await ask(own);
    // The wait itself is set back as well, where the column alone would not be enough for a row.
    const ready = column === 'asked_at' ? `, ready_at = ${at(clock.now())}` : '';
    const set =
      column === 'ready_at'
        ? `asked_at = ${at(clock.now() - DAY)}, ready_at = ${value()}`
        : `${column} = ${value()}`;
    await tamper(`UPDATE exports SET ${set}${ready} WHERE id = '${id}'`);
    await nothingLeft(id);
    clock.advance(DAY);
    await nothingLeft(id);
    await beat();
    await nothingLeft(id);
  });

  it('give nothing under another id, nor with the row of somebody else in their place', async () => {
    const [first, second] = [await ask(own), await ask(victim)];
    const renamed = ids.ulid();
    await tamper(
      `UPDATE exports SET user_id = 'y' WHERE id = '${first}'`,
      `UPDATE exports SET user_id = '${own.userId}' WHERE id = '${second}'`,
      `UPDATE exports SET user_id = '${victim.userId}' WHERE id = '${first}'`,
      `INSERT INTO exports SELECT '${renamed}', 'x', wallet_id, asked_at, ready_at, ends_at FROM exports WHERE id = '${second}'`,
      `DELETE FROM exports WHERE id = '${second}'`,
      `UPDATE exports SET user_id = '${own.userId}' WHERE id = '${renamed}'`,
    );
    clock.advance(DAY);
    for (const id of [first, second, renamed]) await nothingLeft(id);
  });

  it.each(['taken', 'stopped'] as const)('give nothing again once the file was %s', async (how) => {
    const id = await ask(own);
    const [older] = await db.query<{ readonly row: string }>(
      `SELECT to_jsonb(exports)::text AS row FROM exports WHERE id = $1`,
      [id],
    );
    clock.advance(DAY);
    if (how === 'taken') await take(own, id);
    else await vault.stopExport({ userId: own.userId });
    const left = (await acts(own)).filter((act) => act === 'wallet-exported').length;
    expect(left).toBe(how === 'taken' ? 1 : 0);
    for (const statements of [
      [`UPDATE exports SET end_kind = NULL, end_at = NULL, stopped_by = NULL WHERE id = '${id}'`],
      [
        `DELETE FROM exports WHERE id = '${id}'`,
        `INSERT INTO exports SELECT * FROM jsonb_populate_record(NULL::exports, '${older?.row}'::jsonb)`,
      ],
    ]) {
      await tamper(...statements);
      await expect(take(own, id)).rejects.toMatchObject({ code: 'EXPORT_WAITS' });
    }
    await beat();
    await expect(take(own, id)).rejects.toMatchObject({ code: 'EXPORT_WAITS' });
    expect((await acts(own)).filter((act) => act === 'wallet-exported')).toHaveLength(left);
  });

  it('hide no file from its person: Stop ends it without its row, and bars another one for a day', async () => {
    const id = await ask(own);
    const [hidden] = await db.query<{ readonly row: string }>(
      `SELECT to_jsonb(exports)::text AS row FROM exports WHERE id = $1`,
      [id],
    );
    await tamper(`DELETE FROM exports WHERE id = '${id}'`);
    expect(await vault.stopExport({ userId: own.userId })).toEqual({ stopped: true });
    await expect(ask(own)).rejects.toMatchObject({ code: 'EXPORT_WAITS', details: { why: 'stopped' } });
    await tamper(
      `INSERT INTO exports SELECT * FROM jsonb_populate_record(NULL::exports, '${hidden?.row}'::jsonb)`,
    );
    clock.advance(DAY);
    await nothingLeft(id);
  });

  it('keep no file on its way that the look of the signer missed, when it comes back on the last day', async () => {
    const id = await ask(own);
    const [hidden] = await db.query<{ readonly row: string }>(
      `SELECT to_jsonb(exports)::text AS row FROM exports WHERE id = $1`,
      [id],
    );
    await tamper(`DELETE FROM exports WHERE id = '${id}'`);
    await beat();
    await tamper(
      `INSERT INTO exports SELECT * FROM jsonb_populate_record(NULL::exports, '${hidden?.row}'::jsonb)`,
    );
    clock.advance(DAY);
    await nothingLeft(id);
  });

  it('leave an honest file alone: it is taken after its day, though the signer looks all the while', async () => {
    const id = await ask(own);
    for (let hour = 0; hour < 24; hour += 1) {
      await beat();
      clock.advance(HOUR);
    }
    await beat();
    expect((await take(own, id)).length).toBeGreaterThan(0);
  });
});
