import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { activeWallet } from '../../src/modules/wallets/use/active-wallet.ts';
import { openDepositWallet } from '../../src/modules/wallets/use/open-deposit-wallet.ts';
import { createCertificateCheck } from '../../src/platform/certificate-check.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { intentRow, newAddress, newId } from '../conformance/store-rows.ts';
import { addressOf } from '../engine/intents/build.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../support/signer.ts';
import { columnsOf } from './columns.ts';

/** Each sealed column of people and wallets, changed between a screen and its effect; the classes are in `columns.ts`. */
type Table = 'users' | 'wallets';
type Person = { readonly userId: string; readonly telegramId: bigint; readonly walletId: string };

const STRANGER = createCertifier(new Uint8Array(32).fill(12));
const [programs, compiler] = [createPrograms(), createMessageCompiler()];
const clock = fakeClock();
const ids = fakeIds(9);
const pins = fakePins();
const forged: object[] = [];
let url: string;
let db: PrismaDatabase;
let vault: Vault;
let ann: Person;
let bob: Person;
let telegramIds = 1_000n;

beforeAll(async () => {
  url = await createTestDatabase();
  const certificates = createCertificateCheck((row) => forged.push(row));
  certificates.begin(TEST_CERTIFIER.publicKey);
  db = await createPrismaDatabase({ url, certificates });
  vault = testSigner({ db, clock }, { pins });
  certificates.beginGuards(vault);
  await ensureTreasury({ db, vault, clock, ids });
});
afterAll(() => db.close());

beforeEach(async () => {
  forged.length = 0;
  [ann, bob] = [await comes(), await comes()];
});

async function comes(): Promise<Person> {
  telegramIds += 1n;
  const arrival = { telegramId: telegramIds, firstName: 'A', language: 'en', inviteCode: null };
  const deps = { db, clock, ids, vault, maxWallets: 5 };
  const { user } = await startUser(deps, arrival);
  const { wallet } = await openDepositWallet(deps, { userId: user.id, expectedCount: 0 });
  await givePin(db, pins, user.id);
  // Another moment for each person: who swaps them changes something.
  const at = clock.now() - Number(telegramIds);
  const of = (act: 'wallet-confirm' | 'payout-wallet') => ({
    certificate: TEST_CERTIFIER.receiving({ walletId: wallet.id, userId: user.id, act, at }),
  });
  await db.wallets.letReceive(PASSED, wallet.id, { confirmedAt: at, ...of('wallet-confirm') });
  await db.wallets.letReceive(PASSED, wallet.id, { payoutFrom: at, ...of('payout-wallet') });
  return { userId: user.id, telegramId: user.telegramId, walletId: wallet.id };
}

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

/** What the person confirmed while everything was right, and its signature, asked for now. */
async function asked(who: Person): Promise<() => Promise<Uint8Array>> {
  const [destination, lamports] = [newAddress(), 1_000n];
  const wallet = await db.wallets.find(who.walletId);
  if (wallet === null) throw new Error('no wallet');
  const book = { id: newId(), walletId: who.walletId, address: destination, name: 'Cold', addedAt: 0 };
  await db.addressBook.insert(PASSED, { ...book, userId: who.userId });
  const row = intentRow(wallet, {
    params: { kind: 'withdraw-sol', destination, lamports, everything: false, tier: 'normal' },
    createdAt: clock.now(),
  });
  const { id, idemKey, walletId, params } = row;
  const confirmation = await vault.confirm({ id, idemKey, userId: who.userId, walletId, params }, TEST_PIN);
  await db.intents.insert({ ...row, confirmation });
  const { bytes: message } = compiler.compile({
    payer: wallet.address,
    blockhash: addressOf(99),
    instructions: [
      programs.memo(row.id),
      programs.transferSol({ from: wallet.address, to: destination, lamports }),
    ],
  });
  return () => vault.sign({ intentId: row.id, message });
}

/** Each way in which a process learns of the person or the wallet. */
const readsOfPerson = ({ userId, telegramId }: Person): readonly (() => Promise<unknown>)[] => [
  () => db.users.find(userId),
  () => db.users.lock(userId),
  () => db.users.findByTelegramId(telegramId),
  () => db.users.arrive(telegramId, null, clock.now()),
];
const readsOfWallet = ({ userId, walletId }: Person): readonly (() => Promise<unknown>)[] => [
  () => db.wallets.find(walletId),
  () => db.wallets.listByUser(userId),
];

/** A read answers nothing or refuses; what it may not do is answer with a changed fact. */
async function believes(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ROW_FORGED' });
    return null;
  }
}

describe('rows of people and wallets', () => {
  it('are believed as they were written, and after changes of what is not sealed', async () => {
    await tamper(
      `UPDATE users SET first_name = 'Other', blocked_at = now() WHERE id = '${ann.userId}'`,
      `UPDATE wallets SET name = 'Other' WHERE id = '${ann.walletId}'`,
    );
    for (const read of [...readsOfPerson(ann), ...readsOfWallet(ann)]) expect(await read()).toBeTruthy();
    expect(await (await asked(ann))()).toHaveLength(64);
    expect(forged).toEqual([]);
  });

  it("trade with no other person's wallet, whatever row says which is active", async () => {
    await tamper(`UPDATE users SET active_wallet_id = '${bob.walletId}' WHERE id = '${ann.userId}'`);
    const user = await db.users.find(ann.userId);
    if (user === null) throw new Error('nobody');
    await expect(activeWallet(db.wallets, user)).rejects.toMatchObject({ code: 'WALLET_REQUIRED' });
  });

  const isTime = (column: string): boolean => column === 'confirmed_at' || column === 'payout_from';

  /** Statements that change the sealed column of Ann's row, each kind of change by name. */
  function changes(table: Table, column: string): Readonly<Record<string, readonly string[]>> {
    const [hers, his] = table === 'users' ? [ann.userId, bob.userId] : [ann.walletId, bob.walletId];
    const set = (id: string, value: string): string =>
      `UPDATE ${table} SET ${column} = ${value} WHERE id = '${id}'`;
    const other: Readonly<Record<string, string>> = {
      id: `'${newId()}'`,
      telegram_id: '77',
      inviter_id: `'${bob.userId}'`,
      user_id: `'${bob.userId}'`,
      address: `'${newAddress()}'`,
      origin: `'imported'`,
      confirmed_at: `'2001-01-01'`,
      payout_from: `'2001-01-01'`,
      confirmed_certificate: `'${STRANGER.receiving({ walletId: hers, userId: ann.userId, act: 'wallet-confirm', at: 0 })}'`,
      payout_certificate: `'${STRANGER.receiving({ walletId: hers, userId: ann.userId, act: 'payout-wallet', at: 0 })}'`,
      certificate: `'${
        table === 'users'
          ? STRANGER.person({ id: hers, telegramId: ann.telegramId, inviterId: null })
          : STRANGER.wallet({ id: hers, userId: ann.userId, address: '', origin: 'made' })
      }'`,
    };
    // Another person's wallets have names of their own: no constraint may stop this writer.
    const apart =
      table === 'wallets'
        ? [`UPDATE wallets SET name = right(id, 20) WHERE id IN ('${hers}', '${his}')`]
        : [];
    return {
      flip: [...apart, set(hers, other[column] ?? '')],
      ...(column.endsWith('certificate') ? { delete: [set(hers, 'NULL')] } : {}),
      ...(column === 'inviter_id' || column === 'origin'
        ? {}
        : {
            swap: [
              ...apart,
              `CREATE TEMP TABLE swapped ON COMMIT DROP AS SELECT id, ${column} AS was FROM ${table} WHERE id IN ('${hers}', '${his}')`,
              set(hers, column === 'telegram_id' ? '-1' : isTime(column) ? `'1999-01-01'` : `'aside'`),
              `UPDATE ${table} SET ${column} = (SELECT was FROM swapped WHERE id = '${hers}') WHERE id = '${his}'`,
              `UPDATE ${table} SET ${column} = (SELECT was FROM swapped WHERE id = '${his}') WHERE ${column}::text IN ('-1', 'aside') OR ${column}::text LIKE '1999%'`,
            ],
          }),
    };
  }

  const cases = (['users', 'wallets'] as const).flatMap((table) =>
    columnsOf(table, 'sealed').map((column) => [table, column] as const),
  );

  it.each(cases)(
    '%s.%s: whatever becomes of it, nothing moves and no other address is shown',
    async (table, column) => {
      for (const kind of Object.keys(changes(table, column))) {
        [ann, bob] = [await comes(), await comes()];
        const { address } = (await db.wallets.find(ann.walletId)) ?? {};
        const effect = await asked(ann);
        await tamper(...(changes(table, column)[kind] ?? []));
        forged.length = 0;
        const reads = table === 'users' ? readsOfPerson : readsOfWallet;
        let refused = 0;
        for (const read of [...reads(ann), ...reads(bob)]) {
          const found = await believes(read);
          if (found === null) refused += 1;
          // Who is believed at all is as the signer certified them: never Ann under another Telegram id, or her wallet with another address.
          const text = JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
          if (table === 'users' && text.includes(ann.userId)) expect(text).toContain(`"${ann.telegramId}"`);
          if (table === 'wallets' && text.includes(ann.walletId)) expect(text).toContain(address);
        }
        expect(refused, kind).toBeGreaterThan(0);
        await expect(effect(), kind).rejects.toMatchObject({
          code: expect.stringMatching(/ROW_FORGED|POLICY_DENIED/),
        });
        // A row whose id changed is gone under the former one: another way of reading it reports that.
        const others = [
          () => db.users.findByTelegramId(ann.telegramId),
          () => db.wallets.listByUser(ann.userId),
        ];
        for (const read of others) await believes(read);
        expect(forged, `${kind} is told`).not.toEqual([]);
      }
    },
  );
});
