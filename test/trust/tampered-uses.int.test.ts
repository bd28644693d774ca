import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM, WSOL_MINT } from '../../src/core/address/programs.ts';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { feesUpTo } from '../../src/engine/intents/kinds/rules.ts';
import { confirmationText } from '../../src/engine/intents/rules/confirmation.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { bookAddress } from '../../src/modules/guard/use/address-book.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { KeyHolder } from '../../src/platform/ports/key-holder.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { intentRow, newId } from '../conformance/store-rows.ts';
import { addressOf, PARAMS } from '../engine/intents/build.ts';
import { type GuardRig, guardRig, HOUR, RULES } from '../modules/guard/guard-rig.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_SEALS, testSigner } from '../support/signer.ts';

const SOL = 1_000_000_000n;
const DAY = 24 * HOUR;
const DESTINATION = addressOf(7);
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
  const { signing, tries } = testSigning({ db, clock }, { books, witness });
  vault = testSigner({ db, clock }, { pins, guardRules: RULES, signing, tries, keys: KEYS });
  await bookAddress({ clock, ids }, db, PASSED, {
    userId: user.id,
    walletId: wallet.id,
    address: DESTINATION,
    name: 'Cold',
  });
  clock.advance(2 * HOUR);
});

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(statement: string): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    await query(statement, []);
  });
}

/** The chat's own way, with the PIN. */
async function withdraws(lamports: bigint, asWrapped = false): Promise<string> {
  const to = { destination: DESTINATION, tier: 'normal' } as const;
  const params = asWrapped
    ? ({
        kind: 'withdraw-token',
        mint: WSOL_MINT,
        tokenProgram: TOKEN_PROGRAM,
        decimals: 9,
        amount: lamports,
        ...to,
      } as const)
    : ({ kind: 'withdraw-sol', lamports, everything: false, ...to } as const);
  const { intent } = await confirmWithdrawal(
    { ...rig.deps, vault, tokenValue: async ({ amount }) => amount },
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

/** A purchase that the chat counted. */
async function buys(lamportsIn: bigint): Promise<string> {
  const params: IntentParams = { ...PARAMS.buy, lamportsIn };
  const { id: userId } = rig.user;
  const row = intentRow(rig.wallet, { id: newId(), params, kind: params.kind, createdAt: rig.clock.now() });
  const { id, idemKey, walletId } = row;
  const confirmation = TEST_SEALS.seal(confirmationText({ id, idemKey, userId, walletId, params }));
  await db.intents.insert({ ...row, confirmation });
  const fees = feesUpTo(params);
  const use = { intentId: id, userId, countsAt: rig.clock.now(), lamports: lamportsIn, fees };
  await db.guards.addSpending(use);
  return id;
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
    const withdrawsUnseen = async (lamports: bigint, asWrapped = false): Promise<string> => {
      const id = await withdraws(lamports, asWrapped);
      await tamper(change('withdrawal_uses'));
      return id;
    };
    await signs(await withdrawsUnseen(4n * SOL));
    // The chat, which reads the rows, lets it through; the signer does not, also as wrapped SOL.
    const [second, wrapped] = [await withdrawsUnseen(4n * SOL), await withdrawsUnseen(SOL + 1n, true)];
    for (const id of [second, wrapped]) await expect(signs(id)).rejects.toMatchObject(WAITS);
    await signs(await withdrawsUnseen(SOL - 1n));
    rig.clock.advance(DAY);
    await expect(signs(second)).rejects.toMatchObject(WAITS);
    rig.clock.advance(1);
    expect(await signs(second)).toHaveLength(64);
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
