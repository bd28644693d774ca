import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import type { JournalBook } from '../../src/engine/signing/rules/book.ts';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import type { PinTries } from '../../src/engine/signing/use/pin-tries.ts';
import type { SigningJournal } from '../../src/engine/signing/use/signing-journal.ts';
import { freeze } from '../../src/modules/guard/rules/freeze.ts';
import { emptyGuard, type Guard } from '../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { passFree } from '../../src/modules/guard/rules/pass-free.ts';
import { auditCertificates } from '../../src/modules/operations/use/audit-certificates.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { openDepositWallet } from '../../src/modules/wallets/use/open-deposit-wallet.ts';
import { createCertificateCheck, type LateCheck } from '../../src/platform/certificate-check.ts';
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
import { fakePins, TEST_PIN } from '../support/fakes/pins.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../support/signer.ts';
import { columnsOf } from './columns.ts';

/** As in `tampered.int.test.ts`: the classes of the columns are in `columns.ts`. */
const SEALED = columnsOf('guards', 'sealed');

type Person = { readonly userId: string; readonly walletId: string };

const STRANGER = createCertifier(new Uint8Array(32).fill(12));
const HOUR = 3_600_000;
const [programs, compiler] = [createPrograms(), createMessageCompiler()];
const clock = fakeClock();
const ids = fakeIds(9);
const pins = fakePins();
const forged: object[] = [];
const problems: object[] = [];
/** The bot's connection, which knows the signer's public key, and the signer's, which has the journal, too. */
let url: string;
let bot: PrismaDatabase;
let signerDb: PrismaDatabase;
let signing: SigningJournal;
let signingTries: PinTries;
let book: JournalBook;
let vault: Vault;
let ann: Person;
let bob: Person;
let telegramIds = 41_000n;

beforeAll(async () => {
  url = await createTestDatabase();
  const check = (): LateCheck => {
    const certificates = createCertificateCheck((row) => forged.push(row));
    certificates.begin(TEST_CERTIFIER.publicKey);
    return certificates;
  };
  const [botCheck, signerCheck] = [check(), check()];
  bot = await createPrismaDatabase({ url, certificates: botCheck });
  signerDb = await createPrismaDatabase({ url, certificates: signerCheck });
  const log = { error: (facts: object) => void problems.push(facts), warn: () => undefined };
  const { signing: own, tries, deps } = testSigning({ db: signerDb, clock }, { log });
  signing = own;
  signingTries = tries;
  book = deps.book;
  vault = testSigner({ db: signerDb, clock }, { pins, signing, tries });
  botCheck.beginGuards(vault);
  signerCheck.beginGuards(vault, signing.guards);
  await ensureTreasury({ db: bot, vault, clock, ids });
});
afterAll(() => Promise.all([bot.close(), signerDb.close()]));

beforeEach(async () => {
  [ann, bob] = [await comes(), await comes()];
  forged.length = 0;
  problems.length = 0;
});

/** A person with a wallet, and every certified column of the guard set. */
async function comes(): Promise<Person> {
  telegramIds += 1n;
  const arrival = { telegramId: telegramIds, firstName: 'A', language: 'en', inviteCode: null };
  const deps = { db: bot, clock, ids, vault, maxWallets: 5 };
  const { user } = await startUser(deps, arrival);
  const { wallet } = await openDepositWallet(deps, { userId: user.id, expectedCount: 0 });
  const now = clock.now();
  // Over long ago, so that it stops nothing.
  const frost = { frozenAt: now - 60 * HOUR, unfreezeAt: now - 50 * HOUR };
  const raise = {
    nextCapLamports: 9n,
    nextCapAt: now + HOUR,
    nextSpendCapLamports: 9n,
    nextSpendCapAt: now + HOUR,
  };
  await change(user.id, () => ({
    ...frost,
    ...raise,
    pinSetAt: now - 70 * HOUR,
    delayFrom: now - 70 * HOUR,
    unlocksFrom: now - 46 * HOUR,
    capLamports: 8n,
    spendCapLamports: 8n,
    recoveryCodes: [`code of ${user.id}`],
    nextTotpBox: `box of ${user.id}`,
    totpEndsAt: now + 80 * HOUR,
    noticeMail: `${user.id}@example.org`.toLowerCase(),
    nextNoticeMail: 'next@example.org',
    nextNoticeMailAt: now + HOUR,
    lockEpoch: 3,
  }));
  const pinHash = await pins.hash(TEST_PIN, user.id);
  await change(user.id, () => ({ pinHash }));
  return { userId: user.id, walletId: wallet.id };
}

/** A change as the bot writes it. */
function change(userId: string, to: (guard: Guard) => Partial<Guard>): Promise<void> {
  return bot.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    await guards.save({ ...guard, ...to(guard) }, PASSED);
  });
}

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await bot.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

/** What `ops audit` names. */
async function named(): Promise<readonly string[]> {
  const { mismatches } = await auditCertificates({
    rows: createCertificateRows(bot.query),
    certifier: TEST_CERTIFIER,
    knownGuards: new Map(book.guards.all().map(({ userId, version }) => [userId, version])),
  });
  return mismatches.map(({ rule, subject }) => `${rule} ${subject}`);
}

const copyOf = async ({ userId }: Person): Promise<string> => {
  const [row] = await bot.query<{ readonly row: string }>(
    'SELECT to_jsonb(guards)::text AS row FROM guards WHERE user_id = $1',
    [userId],
  );
  if (row === undefined) throw new Error('no guard');
  return row.row.replaceAll("'", "''");
};
const putBack = ({ userId }: Person, row: string): readonly string[] => [
  `DELETE FROM guards WHERE user_id = '${userId}'`,
  `INSERT INTO guards SELECT * FROM jsonb_populate_record(NULL::guards, '${row}'::jsonb)`,
];

/** Everything that asks the guard: the proof of a PIN, a withdrawal, a key file, an order, and a signature that was confirmed before. */
async function effects(who: Person): Promise<readonly (() => Promise<unknown>)[]> {
  const [destination, lamports] = [newAddress(), 1_000n];
  const wallet = await bot.wallets.find(who.walletId);
  if (wallet === null) throw new Error('no wallet');
  const book = { id: newId(), walletId: who.walletId, address: destination, name: 'Cold', addedAt: 0 };
  await bot.addressBook.insert(PASSED, { ...book, userId: who.userId });
  const row = intentRow(wallet, {
    params: { kind: 'withdraw-sol', destination, lamports, everything: false, tier: 'normal' },
    createdAt: clock.now(),
  });
  const { id, idemKey, walletId, params } = row;
  const request = { id, idemKey, userId: who.userId, walletId, params };
  await bot.intents.insert({ ...row, confirmation: await vault.confirm(request, TEST_PIN) });
  const { bytes: message } = compiler.compile({
    payer: wallet.address,
    blockhash: addressOf(99),
    instructions: [
      programs.memo(id),
      programs.transferSol({ from: wallet.address, to: destination, lamports }),
    ],
  });
  return [
    () => vault.sign({ intentId: id, message }),
    () => vault.verifyPin({ userId: who.userId, pin: TEST_PIN }),
    () => vault.confirm(request, TEST_PIN),
    () => vault.askExport({ userId: who.userId, walletId, pin: TEST_PIN }),
    // No change of the bot makes it right again.
    () => change(who.userId, () => ({ lockEpoch: 9 })),
  ];
}

async function nothingMoves(asked: readonly (() => Promise<unknown>)[], kind: string): Promise<void> {
  for (const effect of asked) await expect(effect(), kind).rejects.toMatchObject({ code: 'ROW_FORGED' });
  expect(forged, kind).toContainEqual({ table: 'guards', row: ann.userId });
}

/** Another value of the column than Ann's, as SQL. */
const OTHER: Readonly<Record<string, string>> = {
  user_id: `'nobody'`,
  pin_is_first: 'NOT pin_is_first',
  recovery_codes: `ARRAY['mine']`,
  lock_epoch: 'lock_epoch - 1',
  version: 'version + 1000000',
};
function flipOf(column: string): string {
  if (column === 'certificate')
    return `'${STRANGER.guard({ ...emptyGuard(ann.userId), version: clock.now() })}'`;
  if (column.endsWith('_lamports')) return `coalesce(${column}, 0) + 1000000000000`;
  if (/_(?:at|from|until)$/.test(column)) return `coalesce(${column}, now()) - interval '90 days'`;
  return OTHER[column] ?? `'other'`;
}

describe('guards that another one than the signer wrote', () => {
  it('are believed as they were written, and after a change of what is bounded', async () => {
    await tamper(
      `UPDATE guards SET pin_failures = 1, pin_right_at = now(), totp_step = 7 WHERE user_id = '${ann.userId}'`,
    );
    for (const effect of await effects(ann)) await effect();
    expect(forged).toEqual([]);
  });

  it.each(SEALED)('%s: changed, nothing moves', async (column) => {
    const asked = await effects(ann);
    await tamper(`UPDATE guards SET ${column} = ${flipOf(column)} WHERE user_id = '${ann.userId}'`);
    await nothingMoves(asked, 'flip');
    const whose = column === 'user_id' ? 'guards nobody' : `guards ${ann.userId}`;
    expect(await named()).toContain(`forged-row ${whose}`);
    await tamper(`DELETE FROM guards WHERE user_id IN ('${ann.userId}', 'nobody')`);
  });

  it.each(SEALED.filter((column) => !['user_id', 'version', 'certificate'].includes(column)))(
    '%s: taken away, nothing moves',
    async (column) => {
      const none =
        column === 'lock_epoch'
          ? '0'
          : column === 'recovery_codes'
            ? `'{}'`
            : column === 'pin_is_first'
              ? 'NOT pin_is_first'
              : 'NULL';
      const [{ had } = { had: false }] = await bot.query<{ readonly had: boolean }>(
        `SELECT ${column} IS DISTINCT FROM ${none} AS had FROM guards WHERE user_id = $1`,
        [ann.userId],
      );
      // A column that is empty for Ann is filled by the flip above.
      if (!had) return;
      const asked = await effects(ann);
      // A mail that waits without its moment is no row.
      const both = column === 'next_notice_mail_at' ? 'next_notice_mail = NULL, ' : '';
      await tamper(`UPDATE guards SET ${both}${column} = ${none} WHERE user_id = '${ann.userId}'`);
      await nothingMoves(asked, 'none');
    },
  );

  it('move nothing with the whole row of somebody else, nor without a row', async () => {
    const asked = await effects(ann);
    await tamper(
      `DELETE FROM guards WHERE user_id = '${ann.userId}'`,
      `UPDATE guards SET user_id = '${ann.userId}' WHERE user_id = '${bob.userId}'`,
    );
    await nothingMoves(asked, 'swap');
    await tamper(`DELETE FROM guards WHERE user_id = '${ann.userId}'`);
    await nothingMoves(asked, 'gone');
    // As the lock of a person makes it, who never set anything.
    expect(await named()).toContain(`older-guard guards ${ann.userId}`);
    await tamper(`INSERT INTO guards (user_id) VALUES ('${ann.userId}')`);
    await nothingMoves(asked, 'empty');
    expect(await named()).toContain(`older-guard guards ${ann.userId}`);
  });

  it.each<readonly [string, (guard: Guard) => Partial<Guard>]>([
    ['the PIN before a change', () => ({ pinHash: 'a new hash', pinSetAt: clock.now() })],
    ['no freeze', () => ({ frozenAt: clock.now(), unfreezeAt: null })],
    ['a raise that was taken back', () => ({ nextCapLamports: null, nextCapAt: null })],
    ['an earlier lock epoch', ({ lockEpoch }) => ({ lockEpoch: lockEpoch + 1 })],
    ['no authenticator', () => ({ totpBox: 'sealed', totpEndsAt: null })],
    ['a used recovery code', () => ({ recoveryCodes: [] })],
  ])('move nothing as an older copy with %s', async (_, to) => {
    const older = await copyOf(ann);
    const asked = await effects(ann);
    await change(ann.userId, to);
    await tamper(...putBack(ann, older));
    await nothingMoves(asked, 'older');
    await signing.beat();
    expect(problems).toContainEqual({ userId: ann.userId });
    expect(await named()).toContain(`older-guard guards ${ann.userId}`);
    await nothingMoves(asked, 'older, looked at');
  });

  it('move nothing where a trigger swallows a change that was committed', async () => {
    const asked = await effects(ann);
    await bot.query(
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$`,
      [],
    );
    await bot.query(`CREATE TRIGGER keep BEFORE UPDATE ON guards FOR EACH ROW EXECUTE FUNCTION keep()`, []);
    try {
      await change(ann.userId, () => ({ frozenAt: clock.now(), unfreezeAt: null }));
    } finally {
      await bot.query('DROP TRIGGER keep ON guards', []);
    }
    await nothingMoves(asked, 'swallowed');
  });

  it('are as before where the change was rolled back, also after the signer looked', async () => {
    const asked = await effects(ann);
    await expect(
      bot.transact(async ({ guards }) => {
        await guards.save({ ...(await guards.lock(ann.userId)), lockEpoch: 50 }, PASSED);
        // Meanwhile the row of before counts.
        await signing.beat();
        expect((await signerDb.guards.find(ann.userId)).lockEpoch).toBe(3);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await asked[1]?.();
    await signing.beat();
    for (const effect of asked) await effect();
    expect((await bot.guards.find(ann.userId)).lockEpoch).toBe(9);
    expect(forged).toEqual([]);
  });

  it('can be frozen while the signer cannot be asked, and changed in no other way', async () => {
    const asked = await effects(ann);
    const away = createCertificateCheck(() => undefined);
    away.begin(TEST_CERTIFIER.publicKey);
    const certify = async (): Promise<never> => {
      throw new AppError('SIGNER_UNAVAILABLE', { cause: 'a test' });
    };
    away.beginGuards({ ...vault, certifyGuard: certify });
    const alone = await createPrismaDatabase({ url, certificates: away });
    try {
      await expect(
        alone.transact(async ({ guards }) =>
          guards.save({ ...(await guards.lock(ann.userId)), unlockedUntil: clock.now() + HOUR }, PASSED),
        ),
      ).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
      await alone.transact(async ({ guards }) =>
        guards.save(freeze(await guards.lock(ann.userId), clock.now()), passFree('panic', ann.userId)),
      );
    } finally {
      await alone.close();
    }
    await expect(asked[0]?.()).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
    await expect(asked[3]?.()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    expect(forged).toEqual([]);
    // The next change takes the freeze into its certificate.
    await change(ann.userId, () => ({ lockEpoch: 9 }));
    await tamper(`UPDATE guards SET frozen_at = NULL WHERE user_id = '${ann.userId}'`);
    await nothingMoves(asked, 'thawed');
  });
});

describe('wrong PINs', () => {
  const COUNT = 'pin_failures = 0, pin_locks = 0, pin_locked_until = NULL, pin_trying = NULL';
  const set = (columns: string) => () => [`UPDATE guards SET ${columns} WHERE user_id = '${ann.userId}'`];
  it.each<readonly [string, (older: string) => readonly string[]]>([
    ['their count', set(COUNT)],
    ['the moment of the last right one', set(`${COUNT}, pin_right_at = now()`)],
    ['the step of the last code', set(`${COUNT}, totp_step = NULL`)],
    ['the whole row of before', (older) => putBack(ann, older)],
  ])('are twenty an hour, though a writer sets back %s after each', async (_, reset) => {
    const older = await copyOf(ann);
    const before = pins.compared();
    const guess = (pin: string) => vault.verifyPin({ userId: ann.userId, pin });
    for (let n = 0; n < 20; n += 1) {
      await expect(guess(String(200_000 + n))).rejects.toMatchObject({ code: 'PIN_WRONG' });
      await tamper(...reset(older));
    }
    // Not even the right one is compared now, by whichever call it comes.
    const asking = { userId: ann.userId, walletId: ann.walletId, pin: TEST_PIN };
    for (const call of [() => guess('200020'), () => guess(TEST_PIN), () => vault.askExport(asking)]) {
      await expect(call()).rejects.toMatchObject({ code: 'PIN_LOCKED' });
      await tamper(...reset(older));
    }
    expect(pins.compared() - before).toBe(20);
    // Those of another person have a count of their own.
    await vault.verifyPin({ userId: bob.userId, pin: TEST_PIN });
    clock.advance(HOUR);
    await guess(TEST_PIN);
  });
});

/** An address that its person removed may be put back: it was theirs, and waited. */
describe('addresses that another one than the signer wrote', () => {
  type Entry = { readonly id: string; readonly address: Address };
  async function bookFor(who: Person): Promise<Entry> {
    const address = newAddress();
    const given = { id: newId(), walletId: who.walletId, address, name: `A ${address}`, addedAt: 0 };
    await bot.addressBook.insert(PASSED, { ...given, userId: who.userId });
    return { id: given.id, address };
  }
  const believed = ({ walletId }: Person, { address }: Entry) => bot.addressBook.find(walletId, address);

  it('wait from the moment that the signer says, whatever the bot asked for', async () => {
    const entry = await bookFor(ann);
    expect(await believed(ann, entry)).toMatchObject({ addedAt: clock.now() });
    await tamper(`UPDATE address_book SET name = 'Other' WHERE id = '${entry.id}'`);
    expect(await believed(ann, entry)).toMatchObject({ name: 'Other' });
    const strange = { id: newId(), walletId: bob.walletId, address: newAddress(), name: 'B', addedAt: 0 };
    await expect(bot.addressBook.insert(PASSED, { ...strange, userId: ann.userId })).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
  });

  it.each<readonly [string, (entry: Entry, other: Entry) => string]>([
    ['ripened', () => `added_at = added_at - interval '3 hours'`],
    ['of another wallet', () => `wallet_id = '${ann.walletId}', user_id = '${ann.userId}'`],
    ['of another id', () => `id = id || 'x'`],
    ['of another address', () => `address = '${newAddress()}'`],
    ['without a certificate', () => 'certificate = NULL'],
    [
      'with the certificate of another one',
      (_, other) => `certificate = (SELECT certificate FROM address_book WHERE id = '${other.id}')`,
    ],
  ])('are refused %s, and named', async (_, set) => {
    const [entry, other] = [await bookFor(bob), await bookFor(bob)];
    await tamper(`UPDATE address_book SET ${set(entry, other)} WHERE id = '${entry.id}'`);
    const [now] = await bot.query<{
      readonly id: string;
      readonly wallet: string;
      readonly address: Address;
    }>(`SELECT id, wallet_id AS wallet, address FROM address_book WHERE id LIKE $1`, [`${entry.id}%`]);
    if (now === undefined) throw new Error('the row is there');
    const reads = [
      () => bot.addressBook.find(now.wallet, now.address),
      () => bot.addressBook.list(now.wallet),
      () => signerDb.addressBook.find(now.wallet, now.address),
    ];
    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'ROW_FORGED' });
    expect(await named()).toContain(`forged-row address_book ${now.id}`);
    // The person can take it away.
    await tamper(`DELETE FROM address_book WHERE id = '${now.id}'`);
  });

  it('are refused where they were slipped in', async () => {
    const id = newId();
    const address = newAddress();
    await tamper(
      `INSERT INTO address_book (id, user_id, wallet_id, address, name, added_at) VALUES ('${id}', '${ann.userId}', '${ann.walletId}', '${address}', 'Mine', now() - interval '9 days')`,
    );
    await expect(believed(ann, { id, address })).rejects.toMatchObject({ code: 'ROW_FORGED' });
  });

  it.each<readonly [string, (id: string) => string]>([
    ['its moment gone', () => 'not_before = NULL'],
    ['an earlier moment', () => `not_before = not_before - interval '9 hours'`],
    ['another time of writing', () => `not_before = NULL, created_at = created_at - interval '9 hours'`],
  ])('hold a withdrawal back until they have waited, though its row has %s', async (_, set) => {
    const slow = testSigner(
      { db: signerDb, clock },
      { pins, signing, tries: signingTries, guardRules: PRODUCTION_RULES },
    );
    const { address: destination } = await bookFor(ann);
    const wallet = await bot.wallets.find(ann.walletId);
    if (wallet === null) throw new Error('no wallet');
    const row = intentRow(wallet, {
      params: { kind: 'withdraw-sol', destination, lamports: 1_000n, everything: false, tier: 'normal' },
      createdAt: clock.now(),
      notBefore: clock.now() + 2 * HOUR,
    });
    const { id, idemKey, walletId, params } = row;
    const confirmation = await slow.confirm({ id, idemKey, userId: ann.userId, walletId, params }, TEST_PIN);
    await bot.intents.insert({ ...row, confirmation });
    await tamper(`UPDATE intents SET ${set(id)} WHERE id = '${id}'`);
    const { bytes: message } = compiler.compile({
      payer: wallet.address,
      blockhash: addressOf(99),
      instructions: [
        programs.memo(id),
        programs.transferSol({ from: wallet.address, to: destination, lamports: 1_000n }),
      ],
    });
    const sign = () => slow.sign({ intentId: id, message });
    await expect(sign()).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
    clock.advance(2 * HOUR - 1);
    await expect(sign()).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
    clock.advance(1);
    expect(await sign()).toHaveLength(64);
    await tamper(`DELETE FROM address_book WHERE wallet_id = '${walletId}'`);
    await expect(sign()).rejects.toMatchObject({ code: 'ADDRESS_NOT_READY' });
  });
});
