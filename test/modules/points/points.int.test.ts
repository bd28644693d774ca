import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { SEASONS } from '../../../src/modules/points/rules/seasons.ts';
import { REBATE_BUDGET } from '../../../src/modules/points/rules/shop.ts';
import { createPointOperations } from '../../../src/modules/points/store/point-operations.ts';
import { claimMission } from '../../../src/modules/points/use/claim-mission.ts';
import { closeSeason } from '../../../src/modules/points/use/close-season.ts';
import { minePoints } from '../../../src/modules/points/use/mine-points.ts';
import { redeem } from '../../../src/modules/points/use/redeem.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { buttonRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

describe('points on Postgres', () => {
  let db: PrismaDatabase;
  const clock = fakeClock();
  const ids = fakeIds(77);
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    clock.set(NOON);
  });
  afterAll(() => db.close());

  const who = (user: User) => ({ telegramId: user.telegramId, userId: user.id });
  const balance = (user: User) => db.ledger.balance({ kind: 'points', owner: user.id });
  const rich = async (points: bigint) => {
    const { user } = await storedPerson(db);
    const key = `grant/${newId()}`;
    await db.ledger.post(
      earnTransfer(
        { id: newId(), createdAt: NOON },
        { userId: user.id, points, reason: 'points-trade', key, ref: 'x' },
      ),
    );
    return user;
  };
  /** One tap of a confirm button of its own, or of the given one. */
  const buy = async (user: User, itemId: string, points: bigint, idemKey = newId()) => {
    const button = buttonRow(user.id, { expiresAt: NOON + 1e9 });
    await db.buttons.insert([button]);
    return redeem({ db, clock, ids }, { userId: user.id, itemId, points, idemKey, buttonId: button.id });
  };
  const codes = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));

  it('gives a hundred taps of many devices at once exactly the energy there is', async () => {
    const { user } = await storedPerson(db);
    // Each look at this clock is far enough from the last one for a thumb.
    let now = NOON;
    const thumb = { now: () => (now += 151) };
    const results = await Promise.all(
      Array.from({ length: 60 }, () => minePoints({ db, clock: thumb, ids }, who(user))),
    );
    expect(results.filter(({ result }) => result.kind === 'mined').length).toBe(10);
    expect(await balance(user)).toBe(100n);
    const { miner } = await db.points.find(user.telegramId, user.id);
    // The looks themselves take a few minutes on that clock: less than one tap's energy comes back.
    expect(miner).toMatchObject({ minedToday: 100, taps: 60, version: 60 });
    expect(miner?.energy).toBeLessThan(10);
    // Back by a year: nothing comes back.
    const past = { now: () => NOON - 365 * 86_400_000 };
    expect((await minePoints({ db, clock: past, ids }, who(user))).result.kind).toBe('no-energy');
  });

  it('pays a mission to one of ten claims', async () => {
    const user = await rich(50n);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => claimMission({ db, clock, ids }, who(user), 'first-trade')),
    );
    expect(results.filter(({ claimed }) => claimed)).toHaveLength(1);
    expect(await balance(user)).toBe(100n);
    await expect(claimMission({ db, clock, ids }, who(user), 'pin')).rejects.toMatchObject({
      code: 'MISSION_UNDONE',
    });
    await expect(claimMission({ db, clock, ids }, who(user), 'forged')).rejects.toMatchObject({
      code: 'MISSION_UNKNOWN',
    });
  });

  it('sells the last three pieces to three of twelve people, and takes points of nobody else', async () => {
    await db.shop.setStock('badge-1', 3n);
    const people = await Promise.all(Array.from({ length: 12 }, () => rich(300n)));
    const results = await Promise.allSettled(people.map((user) => buy(user, 'badge-1', 300n)));
    expect(codes(results)).toEqual(Array(9).fill('SOLD_OUT'));
    const left = await Promise.all(people.map(balance));
    expect(left.filter((points) => points === 0n)).toHaveLength(3);
    expect(left.filter((points) => points === 300n)).toHaveLength(9);
    expect(await db.shop.stock(['badge-1'])).toEqual(new Map([['badge-1', 0n]]));
  });

  it('redeems once per key, never below zero, never above what one person can have', async () => {
    const user = await rich(5_000n);
    const key = newId();
    const same = await Promise.all(Array.from({ length: 8 }, () => buy(user, 'slot-1', 1_500n, key)));
    expect(same.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(same.map(({ redemption }) => redemption.id)).size).toBe(1);
    const stranger = await rich(5_000n);
    await expect(buy(stranger, 'slot-1', 1_500n, key)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const more = await Promise.allSettled(Array.from({ length: 4 }, () => buy(user, 'slot-1', 1_500n)));
    expect(codes(more)).toEqual(['SHOP_LIMIT', 'SHOP_LIMIT']);
    await expect(buy(user, 'fee-10-7', 800n)).rejects.toMatchObject({ code: 'POINTS_SHORT' });
    expect(await balance(user)).toBe(500n);
    await expect(buy(stranger, 'slot-1', 1n)).rejects.toMatchObject({ code: 'OFFER_CHANGED' });
    await expect(buy(stranger, 'slot-1', -1_500n)).rejects.toMatchObject({ code: 'OFFER_CHANGED' });
  });

  it('never spends more on rebates than the budget, and owes what it sold', async () => {
    await db.shop.setStock(REBATE_BUDGET, 12_000_000n);
    const people = await Promise.all(Array.from({ length: 6 }, () => rich(3_000n)));
    const results = await Promise.allSettled(people.map((user) => buy(user, 'rebate-1', 3_000n)));
    expect(codes(results)).toEqual(Array(4).fill('SOLD_OUT'));
    expect(await db.shop.stock([REBATE_BUDGET])).toEqual(new Map([[REBATE_BUDGET, 2_000_000n]]));
    const owed = await Promise.all(
      people.map(({ id }) => db.ledger.balance({ kind: 'referral-payable', owner: id })),
    );
    expect(owed.reduce((sum, one) => sum + one, 0n)).toBe(10_000_000n);
    expect(await db.ledger.balance({ kind: 'rebates' })).toBe(-10_000_000n);
  });

  it('shows top miners, machines and shared addresses to the operator', async () => {
    const operations = createPointOperations(db.query);
    const { user } = await storedPerson(db);
    let now = NOON;
    for (let i = 0; i < 45; i += 1) {
      now += 400;
      await minePoints({ db, clock: { now: () => now }, ids }, who(user));
    }
    const machines = await operations.machineLike(40, 0.08, 10);
    expect(machines.map(({ telegramId }) => telegramId)).toContain(user.telegramId);
    const top = await operations.topMiners(NOON - 1, 50);
    expect(top.find(({ userId }) => userId === user.id)).toMatchObject({
      mined: 100n,
      taps: 45,
      pauseMs: 400,
      spreadMs: 0,
    });
    const [a, b] = [await storedPerson(db), await storedPerson(db)];
    for (const { user: owner, wallet } of [a, b]) {
      await db.addressBook.insert(PASSED, {
        id: newId(),
        userId: owner.id,
        walletId: wallet.id,
        address: user.id as never,
        name: 'x',
        addedAt: NOON,
      });
    }
    const shared = await operations.sharedAddresses(10);
    expect(new Set(shared[0]?.telegramIds)).toEqual(new Set([a.user.telegramId, b.user.telegramId]));
  });

  it('closes a season once, rounding for the person, and the books agree', async () => {
    const [one, two] = [await rich(101n), await rich(1n)];
    const operations = createPointOperations(db.query);
    const deps = { ledger: db.ledger, operations, clock, ids };
    const first = await closeSeason(deps, SEASONS[0]);
    expect(first.already).toBe(false);
    expect([await balance(one), await balance(two)]).toEqual([51n, 1n]);
    const again = await closeSeason(deps, SEASONS[0]);
    expect(again).toEqual({ ...first, already: true });
    expect(await db.ledger.balance({ kind: 'points-expired' })).toBe(first.expired);
    const rules = (await createAuditStore(db.query).mismatches()).map(({ rule }) => rule);
    expect(rules).toEqual([]);
  });
});
