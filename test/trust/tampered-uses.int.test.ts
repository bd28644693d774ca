import { type Address, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstUlid } from '../../src/core/time/ulid.ts';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { feesUpTo } from '../../src/engine/intents/kinds/rules.ts';
import { confirmationText } from '../../src/engine/intents/rules/confirmation.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { createUseRows } from '../../src/engine/signing/store/use-rows.ts';
import { bookAddress } from '../../src/modules/guard/use/address-book.ts';
import { auditUses } from '../../src/modules/operations/use/audit-uses.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { KeyHolder } from '../../src/platform/ports/key-holder.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { intentRow, newId } from '../conformance/store-rows.ts';
import { addressOf, PARAMS } from '../engine/intents/build.ts';
import { type GuardRig, guardRig, HOUR, RULES } from '../modules/guard/guard-rig.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeJournal } from '../support/fakes/journal.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_SEALS, testSigner } from '../support/signer.ts';

const SOL = 1_000_000_000n;
const DAY = 24 * HOUR;
const DESTINATION = addressOf(7);
const TOKEN = addressOf(77);
const WAITS = { code: 'SIGNING_PAUSED' };
/** Signs everything: what the policy says of the bytes is not asked here. Each message has a signature of its own. */
const KEYS = {
  sign: async ({ message }: { readonly message: Uint8Array }) =>
    Uint8Array.from({ length: 64 }, (_, at) => message[at % message.length] ?? 0),
  holds: async () => true,
} as unknown as KeyHolder;

let db: PrismaDatabase;
let rig: GuardRig;
let vault: Vault;
let journal: ReturnType<typeof fakeJournal>;
let people = 50;

beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

/** A person with a ripe PIN and an address that has waited, and a signer with a journal; what it signs is in the database at once. */
beforeEach(async () => {
  const pins = fakePins();
  people += 1;
  rig = await guardRig(db, pins, people);
  const { clock, user, wallet, ids } = rig;
  await ensureTreasury({ db, vault: testSigner({ db, clock }), clock, ids });
  await givePin(db, pins, user.id);
  const books: ReturnType<typeof createSigningBooks> = {
    ...createSigningBooks(db.query),
    known: async ({ intentIds }) => ({
      intents: new Set(intentIds),
      signatures: { has: () => true } as never,
      server: { inRecovery: false, fsync: true, synchronousCommit: 'on' },
    }),
  };
  const witness = {
    newest: async () => ({ height: 1n, slot: 1n }),
    takers: async () => [],
    probe: async (_: string, round: number) => ({
      endpoint: `node-${round % 2}`,
      endpoints: 2,
      finalizedHeight: 1n,
      finalizedSlot: 1n,
      status: { level: 'finalized', slot: 1n, err: null } as const,
      statusSlot: 2n,
      firstAvailableBlock: 0n,
      goneAt: null,
    }),
  };
  journal = fakeJournal(undefined, () => clock.now());
  const { signing, tries } = testSigning({ db, clock }, { books, witness, journal });
  vault = testSigner({ db, clock }, { pins, guardRules: RULES, signing, tries, keys: KEYS });
  await bookAddress({ clock, ids }, db, PASSED, {
    userId: user.id,
    walletId: wallet.id,
    address: DESTINATION,
    name: 'Cold',
  });
  clock.advance(2 * HOUR);
});

/** A name whose moment is now by this person's clock: the audit reads it. */
const newestId = (): string => firstUlid(rig.clock.now()).slice(0, 10) + newId().slice(10);

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(statement: string): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    await query(statement, []);
  });
}

/** The chat's own way, with the PIN. */
async function withdraws(
  lamports: bigint,
  mint: Address | null = null,
  worth: bigint | null = lamports,
): Promise<string> {
  const to = { destination: DESTINATION, tier: 'normal' } as const;
  const params = mint
    ? ({
        kind: 'withdraw-token',
        mint,
        tokenProgram: TOKEN_PROGRAM,
        decimals: 9,
        amount: lamports,
        ...to,
      } as const)
    : ({ kind: 'withdraw-sol', lamports, everything: false, ...to } as const);
  const { intent } = await confirmWithdrawal(
    { ...rig.deps, ids: { ...rig.deps.ids, ulid: newestId }, vault, tokenValue: async () => worth },
    {
      userId: rig.user.id,
      walletId: rig.wallet.id,
      idemKey: newId(),
      pin: TEST_PIN,
      params,
    },
  );
  return intent.id;
}

/** An intent as it is after its person confirmed it. */
async function confirmed(params: IntentParams): Promise<string> {
  const { id: userId } = rig.user;
  const row = intentRow(rig.wallet, {
    id: newestId(),
    params,
    kind: params.kind,
    createdAt: rig.clock.now(),
  });
  const { id, idemKey, walletId } = row;
  const confirmation = TEST_SEALS.seal(confirmationText({ id, idemKey, userId, walletId, params }));
  await db.intents.insert({ ...row, confirmation });
  return id;
}

/** A purchase that the chat counted. */
async function buys(lamportsIn: bigint): Promise<string> {
  const params: IntentParams = { ...PARAMS.buy, lamportsIn };
  const intentId = await confirmed(params);
  const { id: userId } = rig.user;
  const fees = feesUpTo(params);
  const use = { intentId, userId, countsAt: rig.clock.now(), lamports: lamportsIn + fees, fees };
  await db.guards.addSpending(use);
  return intentId;
}

/** A withdrawal of a token whose worth is not known, as the authenticator's code allowed it. */
async function withdrawsUnpriced(): Promise<string> {
  const token = { mint: TOKEN, tokenProgram: TOKEN_PROGRAM, decimals: 9, amount: 1n, worth: null };
  const params = { kind: 'withdraw-token', destination: DESTINATION, tier: 'normal', ...token } as const;
  const intentId = await confirmed(params);
  const { id: userId } = rig.user;
  const countsAt = rig.clock.now();
  const fees = feesUpTo(params);
  await db.guards.addUse({ intentId, userId, lamports: null, countsAt });
  await db.guards.addSpending({ intentId, userId, countsAt, lamports: 0n, all: fees, fees });
  return intentId;
}

const signs = (intentId: string): Promise<Uint8Array> =>
  vault.sign({ intentId, message: Buffer.from(intentId.repeat(3)) });

const WAYS: readonly (readonly [string, (table: string) => string])[] = [
  ['gone', (table) => `DELETE FROM ${table} WHERE user_id = '${rig.user.id}'`],
  ['lowered', (table) => `UPDATE ${table} SET lamports = 0 WHERE user_id = '${rig.user.id}'`],
  ['of long ago', (table) => `UPDATE ${table} SET counts_at = '2001-01-01' WHERE user_id = '${rig.user.id}'`],
  ['of somebody else', (table) => `UPDATE ${table} SET user_id = 'x' WHERE user_id = '${rig.user.id}'`],
];

describe('the sums of a day, when a writer of the database changed their rows', () => {
  it.each(WAYS)('let no more SOL leave than the cap: %s', async (_, change) => {
    const withdrawsUnseen = async (lamports: bigint, mint: Address | null = null): Promise<string> => {
      const id = await withdraws(lamports, mint);
      await tamper(change('withdrawal_uses'));
      return id;
    };
    await signs(await withdrawsUnseen(4n * SOL));
    // The chat, which reads the rows, lets it through; the signer does not, also as wrapped SOL.
    const [second, wrapped] = [await withdrawsUnseen(4n * SOL), await withdrawsUnseen(SOL + 1n, WSOL_MINT)];
    for (const id of [second, wrapped]) await expect(signs(id)).rejects.toMatchObject(WAITS);
    await signs(await withdrawsUnseen(SOL - 1n));
    rig.clock.advance(DAY);
    await expect(signs(second)).rejects.toMatchObject(WAITS);
    rig.clock.advance(1);
    expect(await signs(second)).toHaveLength(64);
  });

  it.each(WAYS)('let no more worth of tokens leave than the cap: %s', async (_, change) => {
    const takesTokens = async (worth: bigint): Promise<string> => {
      const id = await withdraws(1n, TOKEN, worth);
      await tamper(change('withdrawal_uses'));
      return id;
    };
    await signs(await takesTokens(4n * SOL));
    const second = await takesTokens(4n * SOL);
    await expect(signs(second)).rejects.toMatchObject(WAITS);
    // The confirmation holds the worth: a row of another worth is not the withdrawal that its person confirmed.
    await tamper(
      `UPDATE intents SET params = jsonb_set(params, '{worth,$bigint}', '"0"') WHERE id = '${second}'`,
    );
    await expect(signs(second)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await tamper(`UPDATE intents SET params = params - 'worth' WHERE id = '${second}'`);
    await expect(signs(second)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    // SOL and tokens are one sum.
    const sol = await withdraws(SOL + 1n);
    await tamper(change('withdrawal_uses'));
    await expect(signs(sol)).rejects.toMatchObject(WAITS);
    expect(await signs(await takesTokens(SOL))).toHaveLength(64);
  });

  it.each(WAYS)('let no more tokens of unknown worth leave than five times a day: %s', async (_, change) => {
    const takesTokens = async (): Promise<string> => {
      const id = await withdrawsUnpriced();
      await tamper(change('withdrawal_uses'));
      return id;
    };
    for (let n = 0; n < 5; n += 1) expect(await signs(await takesTokens())).toHaveLength(64);
    expect((await db.guards.usedSince(rig.user.id, rig.clock.now() - DAY)).unpriced).toBeLessThan(5);
    await expect(signs(await takesTokens())).rejects.toMatchObject(WAITS);
  });

  it.each(WAYS)('let no more be spent than the cap of all spending: %s', async (_, change) => {
    await signs(await buys(30n * SOL));
    await tamper(change('spending_uses'));
    expect((await db.guards.sumsSince(rig.user.id, rig.clock.now() - DAY)).s).toBe(0n);
    await expect(signs(await buys(30n * SOL))).rejects.toMatchObject(WAITS);
    expect(await signs(await buys(15n * SOL))).toHaveLength(64);
    await expect(signs(await buys(5n * SOL + SOL / 20n))).rejects.toMatchObject(WAITS);
  });

  it('hold an unripe PIN to its smaller cap', async () => {
    const guard = await db.guards.find(rig.user.id);
    await db.guards.save({ ...guard, unlocksFrom: rig.clock.now() + DAY }, PASSED);
    await signs(await withdraws(SOL / 2n));
    await tamper(WAYS[0]?.[1]('withdrawal_uses') ?? '');
    await expect(signs(await withdraws(SOL))).rejects.toMatchObject(WAITS);
  });

  it('let an honest day through to the lamport', async () => {
    for (const part of [2n * SOL, SOL, 2n * SOL]) expect(await signs(await withdraws(part))).toHaveLength(64);
    await expect(withdraws(1n)).rejects.toMatchObject({ code: 'DAILY_CAP' });
  });
});

describe('the audit of the sums of a day', () => {
  const mismatches = async () => {
    const rows = createUseRows(db.query);
    const all = await auditUses({ rows, clock: rig.clock }, { records: (since) => journal.records(since) });
    // Other tests left rows of their people here, and their journals are gone.
    const ids = await db.query<{ id: string }>('SELECT id FROM intents WHERE user_id = $1', [rig.user.id]);
    const own = new Set(ids.map(({ id }) => id));
    return all.mismatches.flatMap(({ rule, subject, detail }) =>
      own.has(subject) || detail.includes(rig.user.id) ? [`${rule} ${subject}`] : [],
    );
  };

  it('names nothing in an honest history: of every kind, failed, signed twice, and after the rows were let go', async () => {
    expect(await signs(await withdraws(SOL))).toHaveLength(64);
    expect(await signs(await withdraws(SOL, WSOL_MINT))).toHaveLength(64);
    expect(await signs(await withdraws(7n, TOKEN, SOL))).toHaveLength(64);
    expect(await signs(await withdrawsUnpriced())).toHaveLength(64);
    const bought = await buys(SOL);
    for (const _ of [1, 2]) expect(await signs(bought)).toHaveLength(64);
    const failed = await buys(SOL);
    expect(await signs(failed)).toHaveLength(64);
    await tamper(`UPDATE intents SET status = 'FAILED' WHERE id = '${failed}'`);
    // Confirmed, and never signed.
    await buys(SOL);
    await withdraws(SOL / 2n);
    expect(await mismatches()).toEqual([]);
    rig.clock.advance(30 * DAY);
    await tamper(`DELETE FROM withdrawal_uses`);
    await tamper(`DELETE FROM spending_uses`);
    expect(await mismatches()).toEqual([]);
  });

  const CHANGES: readonly (readonly [string, string])[] = [
    ['gone', 'DELETE FROM @'],
    ['lowered', 'UPDATE @ SET # = # - 1'],
    ['raised', 'UPDATE @ SET # = # + 2000000'],
    ['of long ago', `UPDATE @ SET counts_at = '2001-01-01'`],
    ['of a day that is to come', `UPDATE @ SET counts_at = counts_at + interval '1 day'`],
    ['of somebody else', `UPDATE @ SET user_id = 'x'`],
    ['of another intent', `UPDATE @ SET intent_id = 'x' || intent_id`],
  ];
  const TABLES = [
    ['withdrawal_uses', 'lamports', () => withdraws(SOL)],
    ['withdrawal_uses', 'lamports', () => withdraws(5n, TOKEN, SOL)],
    ['spending_uses', 'all_lamports', () => buys(SOL)],
  ] as const;
  it.each(
    TABLES.flatMap(([table, column, makes]) => CHANGES.map((change) => ({ table, column, makes, change }))),
  )('names a row of $table that is $change.0', async ({ table, column, makes, change: [, sql] }) => {
    const id = await makes();
    await signs(id);
    expect(await mismatches()).toEqual([]);
    // A check of the table: the part without a PIN is no more than all of it.
    if (column !== 'lamports') await tamper(`UPDATE ${table} SET lamports = 0 WHERE intent_id = '${id}'`);
    const set = sql.replaceAll('@', table).replaceAll('#', column);
    await tamper(`${set} WHERE intent_id = '${id}'`);
    expect(await mismatches()).toContain(`misfit-use ${id}`);
  });

  it('names a worth that became unknown, and an unknown one that became known', async () => {
    const [known, unknown] = [await withdraws(5n, TOKEN, SOL), await withdrawsUnpriced()];
    for (const id of [known, unknown]) await signs(id);
    await tamper(`UPDATE withdrawal_uses SET lamports = NULL WHERE intent_id = '${known}'`);
    await tamper(`UPDATE withdrawal_uses SET lamports = 1 WHERE intent_id = '${unknown}'`);
    expect((await mismatches()).toSorted()).toEqual(
      [known, unknown].map((id) => `misfit-use ${id}`).toSorted(),
    );
  });

  it('names invented rows: without an intent, of another kind, and of another person', async () => {
    const [bought, waits] = [await buys(SOL), await withdraws(SOL)];
    await signs(bought);
    const now = new Date(rig.clock.now()).toISOString();
    const insert = (id: string) =>
      tamper(`INSERT INTO withdrawal_uses (intent_id, user_id, lamports, counts_at)
        VALUES ('${id}', '${rig.user.id}', 7, '${now}')`);
    const none = newId();
    await insert(none);
    await insert(bought);
    await tamper(`UPDATE withdrawal_uses SET user_id = 'x' WHERE intent_id = '${waits}'`);
    expect((await mismatches()).toSorted()).toEqual(
      [none, bought, waits].map((id) => `misfit-use ${id}`).toSorted(),
    );
  });

  it('leaves out the rows of signatures that a restore lost, and no others', async () => {
    const id = await buys(SOL);
    await signs(id);
    const dataAsOf = rig.clock.now() - HOUR;
    await tamper(`DELETE FROM spending_uses WHERE intent_id = '${id}'`);
    expect(await mismatches()).toEqual([`misfit-use ${id}`]);
    await journal.append({ kind: 'fence', fenceId: 'f', reason: 'restored', dataAsOf });
    expect(await mismatches()).toEqual([]);
    rig.clock.advance(HOUR);
    const later = await buys(SOL);
    await signs(later);
    await tamper(`DELETE FROM spending_uses WHERE intent_id = '${later}'`);
    expect(await mismatches()).toEqual([`misfit-use ${later}`]);
  });
});
