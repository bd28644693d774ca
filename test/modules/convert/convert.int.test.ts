import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { createQuarantineStore } from '../../../src/engine/transactions/store/quarantine-store.ts';
import { advanceConvert } from '../../../src/modules/convert/use/advance-convert.ts';
import { convertOverview } from '../../../src/modules/convert/use/convert-overview.ts';
import { enterConvert } from '../../../src/modules/convert/use/enter-convert.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { buttonRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 11, 1);

describe('convert on Postgres', () => {
  let db: PrismaDatabase;
  const clock = fakeClock();
  const ids = fakeIds(33);
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    clock.set(START);
  });
  afterAll(() => db.close());

  const deps = () => ({ db, clock, ids });
  const points = (user: User) => db.ledger.balance({ kind: 'points', owner: user.id });
  const locked = (user: User) => db.ledger.balance({ kind: 'points-locked', owner: user.id });
  const owed = (user: User) => db.ledger.balance({ kind: 'referral-payable', owner: user.id });
  const person = async (amount: bigint, reason: 'points-trade' | 'points-mine' = 'points-trade') => {
    const { user } = await storedPerson(db);
    const key = `grant/${newId()}`;
    await db.ledger.post(
      earnTransfer(
        { id: newId(), createdAt: START },
        { userId: user.id, points: amount, reason, key, ref: 'x' },
      ),
    );
    return user;
  };
  /** A period of a day that is open now. */
  const openPeriod = async (budgetLamports: bigint) => {
    const last = (await db.convert.list(1))[0]?.closesAt ?? START;
    const period = await db.convert.announce({
      budgetLamports,
      opensAt: last,
      closesAt: last + DAY,
      announcedAt: START,
      seal: null,
    });
    if (period === null) throw new Error('overlaps');
    clock.set(period.opensAt + 1);
    return period;
  };
  const give = async (user: User, period: number, amount: bigint, idemKey = newId()) => {
    const button = buttonRow(user.id, { expiresAt: Number.MAX_SAFE_INTEGER / 2 });
    await db.buttons.insert([{ ...button, expiresAt: START + 1e11 }]);
    return enterConvert(deps(), { userId: user.id, period, points: amount, idemKey, buttonId: button.id });
  };
  const settled = (number: number) => db.convert.find(number);

  it('shares the budget pro rata to the lamport, owes it like rewards, and states what is left over', async () => {
    const { number, closesAt } = await openPeriod(1_000_000_000n);
    const people = await Promise.all([person(1_000n), person(1_000n), person(1_000n)]);
    const given = [100n, 350n, 1_000n];
    for (const [i, user] of people.entries()) await give(user, number, given[i] ?? 0n);
    const [first] = people;
    if (first === undefined) throw new Error('nobody');
    await give(first, number, 200n);
    expect(await convertOverview(deps(), first.id)).toMatchObject({
      phase: 'open',
      own: 300n,
      total: 1_650n,
    });
    expect([await points(first), await locked(first)]).toEqual([700n, 300n]);
    await advanceConvert(deps());
    expect((await settled(number))?.status).toBe('ANNOUNCED');

    clock.set(closesAt);
    await Promise.all([advanceConvert(deps()), advanceConvert(deps())]);
    expect(await settled(number)).toMatchObject({
      status: 'SETTLED',
      totalPoints: 1_650n,
      // 300, 350 and 1,000 of 1,650, each rounded down.
      paidLamports: 181_818_181n + 212_121_212n + 606_060_606n,
    });
    expect(await Promise.all(people.map(owed))).toEqual([181_818_181n, 212_121_212n, 606_060_606n]);
    expect(await Promise.all(people.map(locked))).toEqual([0n, 0n, 0n]);
    expect(await points(first)).toBe(700n);
    const rewards = await db.referrals.rewards(first.id, 5);
    expect(rewards).toMatchObject([{ source: 'conversion', lamports: 181_818_181n, status: 'ACCRUED' }]);
    expect(await db.convert.lastOutcome(first.id)).toMatchObject({ points: 300n, lamports: 181_818_181n });
  });

  it('takes one entry per key under double taps and replays, and nothing with somebody else’s', async () => {
    const { number } = await openPeriod(1_000n);
    const [user, thief] = [await person(500n), await person(500n)];
    const key = newId();
    const taps = await Promise.all(Array.from({ length: 8 }, () => give(user, number, 200n, key)));
    expect(taps.filter(({ created }) => created)).toHaveLength(1);
    expect([await points(user), await locked(user)]).toEqual([300n, 200n]);
    await expect(give(thief, number, 200n, key)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const many = await Promise.allSettled(Array.from({ length: 6 }, () => give(user, number, 150n)));
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect([await points(user), await locked(user)]).toEqual([0n, 500n]);
    expect(await locked(thief)).toBe(0n);
  });

  it('refuses negative, small and huge amounts, people who never traded, and periods that do not take points', async () => {
    const { number, opensAt, closesAt } = await openPeriod(1_000n);
    const [user, miner] = [await person(500n), await person(500n, 'points-mine')];
    for (const amount of [-500n, 0n, 99n])
      await expect(give(user, number, amount)).rejects.toMatchObject({ code: 'CONVERT_MINIMUM' });
    for (const amount of [501n, 2n ** 63n - 1n, 10n ** 30n])
      await expect(give(user, number, amount)).rejects.toMatchObject({ code: 'POINTS_SHORT' });
    await expect(give(miner, number, 100n)).rejects.toMatchObject({ code: 'SHOP_NEEDS_TRADE' });
    await expect(give(user, 999, 100n)).rejects.toMatchObject({ code: 'CONVERT_CLOSED' });
    for (const now of [opensAt - 1, closesAt, closesAt + DAY]) {
      clock.set(now);
      await expect(give(user, number, 100n)).rejects.toMatchObject({ code: 'CONVERT_CLOSED' });
    }
    expect([await points(user), await locked(user), await points(miner)]).toEqual([500n, 0n, 500n]);
    await advanceConvert(deps());
    // Settled: a clock that is set back into the period does not open it again.
    clock.set(opensAt + 1);
    await expect(give(user, number, 100n)).rejects.toMatchObject({ code: 'CONVERT_CLOSED' });
    expect(await settled(number)).toMatchObject({ status: 'SETTLED', totalPoints: 0n, paidLamports: 0n });
  });

  it('counts every entry that was taken while settling began', async () => {
    const { number, closesAt } = await openPeriod(1_000_000n);
    const people = await Promise.all(Array.from({ length: 12 }, () => person(100n)));
    const late = { now: () => closesAt };
    const results = await Promise.allSettled([
      ...people.slice(0, 6).map((user) => give(user, number, 100n)),
      advanceConvert({ ...deps(), clock: late }),
      ...people.slice(6).map((user) => give(user, number, 100n)),
    ]);
    await advanceConvert({ ...deps(), clock: late });
    const taken = results.filter(({ status }) => status === 'fulfilled').length - 1;
    const period = await settled(number);
    expect(period).toMatchObject({ status: 'SETTLED', totalPoints: BigInt(taken) * 100n });
    const all = await Promise.all(
      people.map(async (user) => [await points(user), await locked(user), await owed(user)]),
    );
    const share = taken === 0 ? 0n : 1_000_000n / BigInt(taken);
    expect(all.filter(([left]) => left === 0n)).toEqual(Array(taken).fill([0n, 0n, share]));
    expect(all.filter(([left]) => left === 100n)).toEqual(Array(12 - taken).fill([100n, 0n, 0n]));
    clock.set(closesAt);
  });

  it('finishes what a kill left, and pays nobody twice', async () => {
    const { number, closesAt } = await openPeriod(700n);
    const people = await Promise.all(Array.from({ length: 7 }, () => person(100n)));
    for (const user of people) await give(user, number, 100n);
    clock.set(closesAt);
    for (let survived = 0; survived < 9; survived += 2) {
      let left = survived;
      const dying: Pick<Database, 'transact' | 'convert' | 'flags'> = {
        convert: db.convert,
        flags: db.flags,
        transact: (work) =>
          db.transact(async (stores) => {
            const result = await work(stores);
            left -= 1;
            if (left < 0) throw new Error('the power is gone');
            return result;
          }),
      };
      await advanceConvert({ ...deps(), db: dying }).catch(() => undefined);
      const sums = await Promise.all(people.map(owed));
      for (const [i, user] of people.entries())
        expect([sums[i], await locked(user)]).toEqual(sums[i] === 0n ? [0n, 100n] : [100n, 0n]);
    }
    await advanceConvert(deps());
    expect(await Promise.all(people.map(owed))).toEqual(Array(7).fill(100n));
    expect(await settled(number)).toMatchObject({ status: 'SETTLED', paidLamports: 700n });
  });

  it('gives everything back when a period is cancelled, and where a share would be nothing', async () => {
    const cancelled = await openPeriod(1_000n);
    const user = await person(400n);
    await give(user, cancelled.number, 300n);
    expect(
      await db.convert.cancel(cancelled.number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' }),
    ).toBe(true);
    await expect(give(user, cancelled.number, 100n)).rejects.toMatchObject({ code: 'CONVERT_CLOSED' });
    await Promise.all([advanceConvert(deps()), advanceConvert(deps())]);
    expect([await points(user), await locked(user), await owed(user)]).toEqual([400n, 0n, 0n]);
    clock.set(cancelled.closesAt);

    const poor = await openPeriod(1n);
    const rich = await person(300n);
    await give(user, poor.number, 100n);
    await give(rich, poor.number, 300n);
    clock.set(poor.closesAt);
    await advanceConvert(deps());
    expect([await points(user), await locked(user), await owed(user)]).toEqual([400n, 0n, 0n]);
    expect([await points(rich), await owed(rich)]).toEqual([300n, 0n]);
    expect(await settled(poor.number)).toMatchObject({ status: 'SETTLED', paidLamports: 0n });
  });

  it('tells those who asked, once, when a period opens', async () => {
    const user = await person(1n);
    await db.convert.watch(user.id, clock.now());
    await advanceConvert(deps());
    expect(await db.convert.isWatching(user.id)).toBe(true);
    await openPeriod(1_000n);
    await Promise.all([advanceConvert(deps()), advanceConvert(deps())]);
    await advanceConvert(deps());
    const told = await db.query<{ readonly kind: string }>('SELECT kind FROM notices WHERE user_id = $1', [
      user.id,
    ]);
    expect(told).toEqual([{ kind: 'convert-open' }]);
  });

  it('does nothing while quarantined', async () => {
    const { number, closesAt } = await openPeriod(1_000n);
    const user = await person(400n);
    await give(user, number, 100n);
    const quarantines = createQuarantineStore(db.query);
    await quarantines.enter({ id: 'q', reason: 'restored', dataAsOf: START, enteredAt: START });
    await expect(give(user, number, 100n)).rejects.toMatchObject({ code: 'CONVERT_CLOSED' });
    clock.set(closesAt);
    await advanceConvert(deps());
    expect((await settled(number))?.status).toBe('ANNOUNCED');
    await quarantines.lift('q', START, {});
    await advanceConvert(deps());
    expect(await owed(user)).toBe(1_000n);
  });

  it('keeps what was announced, and leaves books that the audit finds in order', async () => {
    for (const change of [
      'budget_lamports = budget_lamports + 1',
      "closes_at = closes_at + interval '1 day'",
      `status = 'ANNOUNCED'`,
    ])
      await expect(db.query(`UPDATE convert_periods SET ${change} WHERE number = 1`, [])).rejects.toThrow();
    const audit = createAuditStore(db.query);
    const rules = [
      'balance',
      'currency',
      'reward-unbooked',
      'reward-missing',
      'reward-status',
      'convert-locked',
      'convert-paid',
    ];
    expect((await audit.mismatches()).filter(({ rule }) => rules.includes(rule))).toEqual([]);
    const user = await person(1n);
    const { number } = await openPeriod(5n);
    await db.convert.insertEntry({
      id: newId(),
      period: number,
      userId: user.id,
      idemKey: newId(),
      points: 7n,
      createdAt: START,
    });
    await db.convert.insertOutcome({ period: 1, userId: user.id, points: 7n, lamports: 3n, at: START });
    const found = (await audit.mismatches()).map(({ rule, subject }) => `${rule} ${subject}`);
    expect(found).toEqual(expect.arrayContaining([`convert-locked ${user.id}`, `convert-paid 1.${user.id}`]));
  });
});
