import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import { conversionTransfer, payoutHold, rebateTransfer } from '../../src/engine/ledger/rules/postings.ts';
import { createJournalBook } from '../../src/engine/signing/rules/book.ts';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { adoptRows } from '../../src/engine/signing/use/adopt-rows.ts';
import { createPeriodEnds } from '../../src/engine/signing/use/period-ends.ts';
import { conversionName } from '../../src/modules/convert/rules.ts';
import { advanceConvert } from '../../src/modules/convert/use/advance-convert.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { auditCertificates } from '../../src/modules/operations/use/audit-certificates.ts';
import { oweLamports } from '../../src/modules/points/use/owe-lamports.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createCertificateCheck } from '../../src/platform/certificate-check.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { KeyHolder } from '../../src/platform/ports/key-holder.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { intentRow, newId, storedPerson } from '../conformance/store-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDisk, fakeJournal } from '../support/fakes/journal.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { TEST_CERTIFIER, testSigner } from '../support/signer.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BUDGET = 1_000n;
/** Of debts that the signer cannot prove, in a day. */
const UNPROVED = 100n;
const DENIED = { code: 'POLICY_DENIED', details: { rule: 'payout-conversion' } };
const FORGED = { code: 'ROW_FORGED' };
/** Signs everything: what the policy says of the bytes is not asked here. Each message has a signature of its own. */
const KEYS = {
  sign: async ({ message }: { readonly message: Uint8Array }) =>
    Uint8Array.from({ length: 64 }, (_, at) => message[at % message.length] ?? 0),
  holds: async () => true,
} as unknown as KeyHolder;

type Rig = ReturnType<typeof start>;

/** As the signer has it, and as the other processes have it, which compare each row that they read. */
let db: PrismaDatabase;
let checked: PrismaDatabase;
let treasury: Wallet;
let clock: ReturnType<typeof fakeClock>;
let rig: Rig;
let opensAt: number;
let closesAt: number;
/** How transactions end on the chain, as far as the signer looks. */
let fate: string | null;

beforeAll(async () => {
  const url = await createTestDatabase();
  const certificates = createCertificateCheck(() => undefined);
  certificates.begin(TEST_CERTIFIER.publicKey);
  [db, checked] = [await createPrismaDatabase({ url }), await createPrismaDatabase({ url, certificates })];
});
afterAll(async () => {
  await checked.close();
  await db.close();
});

/** A signer, with a new journal or with the lines of one that is there. */
function start(disk = fakeDisk(newId())) {
  const journal = fakeJournal(disk, () => clock.now());
  const book = createJournalBook();
  for (const record of journal.all()) book.apply(record);
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
      status: { level: 'finalized', slot: 1n, err: fate } as const,
      statusSlot: 2n,
      firstAvailableBlock: 0n,
      goneAt: null,
    }),
  };
  const { signing, tries } = testSigning({ db, clock }, { books, witness, journal, book });
  const guardRules = { ...LOCAL_RULES, payoutsLamports: 10n ** 15n, unprovedLamports: UNPROVED };
  const vault: Vault = testSigner({ db, clock }, { guardRules, signing, tries, keys: KEYS });
  const ends = createPeriodEnds({
    db,
    book,
    certifier: TEST_CERTIFIER,
    write: (entry) => signing.write(entry),
  });
  return { disk, journal, book, signing, vault, ends };
}

/** A signer whose journal has begun, and a day for periods that no other test has. */
beforeEach(async () => {
  [clock, fate] = [fakeClock(), null];
  treasury = await ensureTreasury({ db, vault: testSigner({ db, clock }), clock, ids: ids() });
  await tamper(
    'DELETE FROM convert_outcomes',
    'DELETE FROM convert_entries',
    'DELETE FROM convert_periods',
    'DELETE FROM rewards',
  );
  rig = start();
  await rig.journal.append({ kind: 'pin-wrong', user: 'u' });
  [opensAt, closesAt] = [clock.now() + HOUR, clock.now() + DAY];
});

const ids = () => randomIds(() => clock.now());

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

/** As `ops convert announce` writes it down. */
async function announces(budgetLamports = BUDGET): Promise<number> {
  const facts = { budgetLamports, opensAt, closesAt };
  const at = clock.now();
  const certificate = TEST_CERTIFIER.period({ ...facts, at, uncountedLamports: 0n, isCancelled: false });
  const seal = { at, uncountedLamports: 0n, certificate };
  const period = await db.convert.announce({ ...facts, announcedAt: at, seal });
  if (period === null) throw new Error('overlaps');
  return period.number;
}

/** As `ops convert cancel` writes it down. */
async function cancels(number: number): Promise<void> {
  const at = clock.now();
  const facts = { budgetLamports: BUDGET, opensAt, closesAt, at, uncountedLamports: 0n, isCancelled: true };
  const seal = { at, uncountedLamports: 0n, certificate: TEST_CERTIFIER.period(facts) };
  expect(await db.convert.cancel(number, seal)).toBe(true);
}

/** A period that has closed and was settled. */
async function settled(budgetLamports = BUDGET): Promise<number> {
  const number = await announces(budgetLamports);
  clock.set(closesAt + 1);
  await tamper(`UPDATE convert_periods SET status = 'SETTLED', total_points = 1, paid_lamports = 1`);
  return number;
}

async function person() {
  const { user, wallet } = await storedPerson(db);
  return { id: user.id, address: wallet.address };
}
type Person = Awaited<ReturnType<typeof person>>;

/** A share of a period, as it is written at the settlement, or as a writer of the database writes one. */
async function owes({ id: userId }: Person, period: number, lamports: bigint): Promise<void> {
  const name = conversionName(period, userId);
  const createdAt = clock.now();
  const transfer = conversionTransfer({ id: newId(), createdAt }, { name, userId, lamports });
  await db.transact((stores) =>
    oweLamports(ids(), stores, { source: 'conversion', name, userId, lamports, createdAt, transfer }),
  );
}

/** One payout of all that these people are owed, held by the books. */
async function holds(...people: readonly Person[]): Promise<string> {
  const id = newId();
  const createdAt = clock.now();
  await db.transact(async (stores) => {
    const all = (await db.query<{ number: number }>('SELECT number FROM convert_periods', [])).map(
      ({ number }) => `${number}`,
    );
    const rows = await stores.referrals.lockAccrued(
      people.map((one) => one.id),
      [...all, '77'],
    );
    const parts = rows.flatMap((row) => {
      const { address } = people.find((one) => one.id === row.inviterId) ?? {};
      return address === undefined ? [] : [{ ...row, recipient: address }];
    });
    const items = parts.map(({ inviterId, recipient, lamports }) => ({ inviterId, recipient, lamports }));
    await stores.intents.insert(
      intentRow(treasury, { id, userId: null, params: { kind: 'payout', items }, createdAt }),
    );
    await stores.ledger.post(payoutHold({ id: newId(), createdAt }, id, parts));
    await stores.referrals.markBatched(
      parts.flatMap(({ rewardIds }) => rewardIds),
      id,
    );
  });
  return id;
}

const signs = (intentId: string, more = ''): Promise<Uint8Array> =>
  rig.vault.sign({ intentId, message: Buffer.from(intentId.repeat(3) + more) });

/** A share of this person and its payout. */
async function pays(who: Person, period: number, lamports: bigint): Promise<Uint8Array> {
  await owes(who, period, lamports);
  return signs(await holds(who));
}

/** A new person's share and its payout. */
const paysOne = async (period: number, lamports: bigint): Promise<Uint8Array> =>
  pays(await person(), period, lamports);

const audited = async (): Promise<readonly string[]> => {
  const rows = createCertificateRows(db.query);
  const { mismatches } = await auditCertificates({ rows, certifier: TEST_CERTIFIER });
  return mismatches.flatMap(({ rule, subject }) =>
    subject.startsWith('convert_periods') ? [`${rule} ${subject}`] : [],
  );
};

/** As `ops trust adopt --yes --again` does. */
const adopts = async () => {
  const begunAt = rig.journal.all()[0]?.at ?? 0;
  const paid = (opening: number) => rig.book.conversions.paid(opening, rig.book.isVoid);
  const deps = {
    rows: createCertificateRows(db.query),
    certifier: TEST_CERTIFIER,
    keys: KEYS,
    now: clock.now(),
    journal: { begunAt, paid },
  };
  return adoptRows(deps, { write: true, again: true });
};

describe('an honest period', () => {
  it('pays its shares to the lamport, and its audit names nothing', async () => {
    const number = await announces(1_001n);
    const people = [await person(), await person(), await person()];
    for (const { id: userId } of people) {
      const [entryId, points] = [newId(), 100n];
      await db.convert.insertEntry({
        id: entryId,
        period: number,
        userId,
        idemKey: newId(),
        points,
        createdAt: opensAt,
      });
      for (const [from, to] of [
        ['points-issued', 'points'],
        ['points', 'points-locked'],
      ] as const)
        await db.ledger.post({
          id: newId(),
          createdAt: 1,
          key: `${from}/${entryId}`,
          reason: from === 'points' ? 'points-lock' : 'points-mine',
          ref: '1',
          currency: 'POINT',
          entries: [
            {
              account: from === 'points' ? { kind: from, owner: userId } : ({ kind: from } as never),
              amount: -points,
            },
            { account: { kind: to, owner: userId }, amount: points },
          ],
        });
    }
    clock.set(closesAt + 1);
    await advanceConvert({ db: checked, clock, ids: ids() });
    expect(await checked.convert.find(number)).toMatchObject({ status: 'SETTLED', paidLamports: 999n });
    expect(await checked.convert.payable()).toEqual([number]);
    expect(await signs(await holds(...people))).toHaveLength(64);
    // What three shares leave over is the service's, and still within the budget.
    expect(await paysOne(number, 2n)).toHaveLength(64);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    expect(await audited()).toEqual([]);
  });

  it('is none of what a day pays unproved, and beside it a rebate is', async () => {
    const number = await settled();
    const one = await person();
    const rebate = async (lamports: bigint) => {
      const name = newId();
      const transfer = rebateTransfer(
        { id: newId(), createdAt: 1 },
        { redemptionId: name, userId: one.id, lamports },
      );
      await db.transact((stores) =>
        oweLamports(ids(), stores, {
          source: 'rebate',
          name,
          userId: one.id,
          lamports,
          createdAt: 1,
          transfer,
        }),
      );
    };
    await rebate(UNPROVED);
    await owes(one, number, BUDGET);
    expect(await signs(await holds(one))).toHaveLength(64);
    // An invented share that is called a rebate is within what a day pays unproved, and no further.
    await rebate(1n);
    await expect(signs(await holds(one))).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
  });

  it('pays a payout that is signed again once, and gets back what had no effect', async () => {
    const number = await settled();
    const one = await person();
    await owes(one, number, BUDGET);
    const payout = await holds(one);
    for (const _ of [1, 2]) expect(await signs(payout)).toHaveLength(64);
    fate = 'failed';
    expect(await signs(payout, 'again')).toHaveLength(64);
    expect(await paysOne(number, BUDGET)).toHaveLength(64);
    fate = null;
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
  });

  it('pays nothing before it has closed', async () => {
    const number = await announces();
    await tamper(`UPDATE convert_periods SET status = 'SETTLED', total_points = 1, paid_lamports = 1`);
    clock.set(closesAt - 1);
    const one = await person();
    await expect(pays(one, number, 1n)).rejects.toMatchObject(DENIED);
    clock.set(closesAt + 1);
    await tamper(`UPDATE rewards SET status = 'ACCRUED', payout_intent_id = NULL`);
    await db.ledger.post(
      conversionTransfer(
        { id: newId(), createdAt: 1 },
        { name: `again ${one.id}`, userId: one.id, lamports: 1n },
      ),
    );
    expect(await signs(await holds(one))).toHaveLength(64);
  });
});

describe('a period that a writer of the database changed', () => {
  it.each([
    ['has a raised budget', 'budget_lamports = budget_lamports * 9'],
    ['opens at another time', "opens_at = opens_at - interval '1 hour'"],
    ['closes earlier', "closes_at = closes_at - interval '1 second'"],
    ['was certified later', "certified_at = certified_at + interval '1 hour'"],
    ['paid another sum before', 'uncounted_lamports = uncounted_lamports + 1'],
    ['has another certificate', `certificate = 'x' || certificate`],
    [
      'has the certificate of another key',
      () => {
        const facts = {
          budgetLamports: BUDGET,
          opensAt,
          closesAt,
          at: clock.now(),
          uncountedLamports: 0n,
          isCancelled: false,
        };
        const other = createCertifier(new Uint8Array(32).fill(9));
        return `certificate = '${other.period(facts)}', certified_at = '${new Date(clock.now()).toISOString()}'`;
      },
    ],
    ['has none', 'certificate = NULL, certified_at = NULL, uncounted_lamports = NULL'],
  ])('pays nothing, and is named: it %s', async (_, change) => {
    const number = await settled();
    const one = await person();
    await owes(one, number, 1n);
    const payout = await holds(one);
    await tamper(`UPDATE convert_periods SET ${typeof change === 'string' ? change : change()}`);
    await expect(signs(payout)).rejects.toMatchObject(DENIED);
    for (const read of ['find', 'hold'] as const)
      await expect(checked.convert[read](number)).rejects.toMatchObject(FORGED);
    expect([await checked.convert.payable(), await checked.convert.list(9)]).toEqual([[], []]);
    expect(await audited()).toEqual([`forged-row convert_periods ${number}`]);
  });

  it('pays nothing for rewards of another number, and for names that are none', async () => {
    const number = await settled();
    const one = await person();
    await owes(one, number, 1n);
    const payout = await holds(one);
    await tamper(`UPDATE convert_periods SET number = ${number + 1}`);
    await expect(signs(payout)).rejects.toMatchObject(DENIED);
    for (const name of ['', '1', `1.5.${one.id}`, `${number + 1}.other`, `${number + 1}.${one.id}.`]) {
      await tamper(`UPDATE rewards SET signature = '${name}' WHERE payout_intent_id = '${payout}'`);
      await expect(signs(payout)).rejects.toMatchObject(DENIED);
    }
    await tamper(`UPDATE convert_periods SET number = ${number}`);
    await tamper(`UPDATE rewards SET signature = '${conversionName(number, one.id)}'`);
    expect(await signs(payout)).toHaveLength(64);
  });

  it('pays one budget, whatever numbers its copies have', async () => {
    const number = await settled();
    const columns = `budget_lamports, opens_at, closes_at, announced_at, status, total_points, paid_lamports, certificate,
      certified_at, uncounted_lamports`;
    // A superuser takes away what keeps dates apart.
    const apart = 'convert_periods_do_not_overlap';
    await tamper(
      `ALTER TABLE convert_periods DROP CONSTRAINT ${apart}`,
      `INSERT INTO convert_periods (number, ${columns}) SELECT number + 1, ${columns} FROM convert_periods`,
    );
    expect(await paysOne(number, 600n)).toHaveLength(64);
    await expect(paysOne(number + 1, 401n)).rejects.toMatchObject(DENIED);
    expect(await paysOne(number + 1, 400n)).toHaveLength(64);
    for (const copy of [number, number + 1]) await expect(paysOne(copy, 1n)).rejects.toMatchObject(DENIED);
    await tamper(
      'DELETE FROM convert_periods',
      `ALTER TABLE convert_periods ADD CONSTRAINT ${apart}
       EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&) WHERE (status <> 'CANCELLED')`,
    );
  });

  it('pays nothing where it was invented, and is named', async () => {
    const insert = (number: number, certificate: string) =>
      tamper(`INSERT INTO convert_periods (number, budget_lamports, opens_at, closes_at, announced_at, status, total_points,
          paid_lamports, certificate, certified_at, uncounted_lamports)
        VALUES (${number}, 5000, '${2_000 + number}-01-01', '${2_000 + number}-01-02', '2001-01-01', 'SETTLED', 1, 1, ${certificate})`);
    await insert(50, 'NULL, NULL, NULL');
    await insert(51, `'invented', '${new Date(clock.now()).toISOString()}', 0`);
    for (const number of [50, 51]) await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    // A period that is in no row at all.
    await expect(paysOne(77, 1n)).rejects.toMatchObject(DENIED);
    await owes(await person(), 50, 1n);
    expect(await audited()).toEqual(['forged-row convert_periods 50', 'forged-row convert_periods 51']);
    expect(await checked.convert.payable()).toEqual([]);
  });
});

describe('a period that the operator took back', () => {
  const columns = 'status, certificate, certified_at, uncounted_lamports';

  it('pays nothing when an older row is put back, also after the journal was read again', async () => {
    const number = await announces();
    await tamper('DROP TABLE IF EXISTS older', 'CREATE TABLE older AS SELECT * FROM convert_periods');
    clock.advance(1);
    await cancels(number);
    await rig.ends.beat();
    await tamper(
      `UPDATE convert_periods SET (${columns}) = (SELECT ${columns} FROM older)`,
      `UPDATE convert_periods SET status = 'SETTLED', total_points = 1, paid_lamports = 1`,
      'DROP TABLE older',
    );
    clock.set(closesAt + 1);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    rig = start(rig.disk);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    for (let days = 0; days < 3; days += 1) {
      clock.advance(20 * DAY + 1);
      await rig.signing.beat();
    }
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
  });

  it('pays nothing with the certificate of its end, whatever its status says', async () => {
    const number = await announces();
    await cancels(number);
    clock.set(closesAt + 1);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    await tamper(`UPDATE convert_periods SET status = 'SETTLED', total_points = 1, paid_lamports = 1`);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    expect(await audited()).toEqual([`forged-row convert_periods ${number}`]);
  });

  it('is ended by no row that a writer calls cancelled', async () => {
    const number = await announces();
    await tamper(`UPDATE convert_periods SET status = 'CANCELLED'`);
    await rig.ends.beat();
    await tamper(`UPDATE convert_periods SET status = 'SETTLED', total_points = 1, paid_lamports = 1`);
    clock.set(closesAt + 1);
    expect(await paysOne(number, BUDGET)).toHaveLength(64);
  });
});

describe('rewards beyond a budget', () => {
  it('are not paid: in one payout, one after the other, and by shares that no part of the payout pays', async () => {
    const number = await settled();
    const [one, other] = [await person(), await person()];
    await owes(one, number, 600n);
    await owes(other, number, 401n);
    await expect(signs(await holds(one, other))).rejects.toMatchObject(DENIED);
    const [third, fourth] = [await person(), await person()];
    expect(await pays(third, number, 600n)).toHaveLength(64);
    await expect(paysOne(number, 401n)).rejects.toMatchObject(DENIED);
    await owes(fourth, number, 300n);
    const payout = await holds(fourth);
    await tamper(`UPDATE rewards SET lamports = 301 WHERE payout_intent_id = '${payout}'`);
    await expect(signs(payout)).rejects.toMatchObject(DENIED);
    await tamper(`UPDATE rewards SET lamports = 300 WHERE payout_intent_id = '${payout}'`);
    expect(await signs(payout)).toHaveLength(64);
    expect(await paysOne(number, 100n)).toHaveLength(64);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
  });

  it('are not paid where paid ones are set back, also after the journal was read again, and when its start is gone', async () => {
    const number = await settled();
    const one = await person();
    expect(await pays(one, number, BUDGET)).toHaveLength(64);
    const repeats = async () => {
      await tamper(`UPDATE rewards SET status = 'ACCRUED', payout_intent_id = NULL`);
      const again = { id: newId(), createdAt: 1 };
      await db.ledger.post(conversionTransfer(again, { name: again.id, userId: one.id, lamports: BUDGET }));
      return signs(await holds(one));
    };
    await expect(repeats()).rejects.toMatchObject(DENIED);
    rig = start(rig.disk);
    await expect(repeats()).rejects.toMatchObject(DENIED);
    for (let days = 0; days < 3; days += 1) {
      clock.advance(20 * DAY + 1);
      await rig.signing.beat();
    }
    const late = createJournalBook();
    for (const record of rig.journal.all().filter(({ at }) => at >= clock.now() - 31 * DAY))
      late.apply(record);
    expect(late.conversions.paid(opensAt, late.isVoid)).toBe(BUDGET);
    // The journal says when it began, so that its dropped start makes no certificate older than it.
    expect(late.conversions.since()).toBe(rig.journal.all()[0]?.at);
  });

  it('are not paid by a new journal, which pays the rest once the operator has certified the period again', async () => {
    const number = await settled();
    expect(await paysOne(number, 600n)).toHaveLength(64);
    await tamper(`UPDATE rewards SET status = 'PAID'`);
    clock.advance(1);
    rig = start();
    await rig.journal.append({ kind: 'pin-wrong', user: 'u' });
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    expect(await adopts()).toMatchObject({ stale: [number], periods: [{ uncountedLamports: 600n }] });
    await expect(paysOne(number, 401n)).rejects.toMatchObject(DENIED);
    expect(await paysOne(number, 400n)).toHaveLength(64);
    await expect(paysOne(number, 1n)).rejects.toMatchObject(DENIED);
    expect(await adopts()).toMatchObject({ stale: [], periods: [] });
  });
});
