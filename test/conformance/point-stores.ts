import { describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import type { EarnReason } from '../../src/engine/ledger/rules/entry.ts';
import { earnTransfer, redeemTransfer } from '../../src/engine/ledger/rules/point-postings.ts';
import { type Miner, newMiner } from '../../src/modules/points/rules/mining.ts';
import { POINT_RULES } from '../../src/modules/points/rules/rules.ts';
import type { Redemption } from '../../src/modules/points/rules/shop.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { intentRow, NOW, newId, rewardRow, storedIntent, storedPerson } from './store-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TODAY = Math.floor(NOW / DAY) * DAY;

export function describePointStores(db: () => Database): void {
  const person = async () => {
    const { user, wallet } = await storedPerson(db());
    const miner: Miner = {
      ...newMiner({ telegramId: user.telegramId, userId: user.id, now: NOW, rules: POINT_RULES[0] }),
      version: 1,
    };
    return { user, wallet, miner };
  };
  const earn = (
    userId: string,
    points: bigint,
    change: { reason?: EarnReason; at?: number; ref?: string } = {},
  ) =>
    earnTransfer(
      { id: newId(), createdAt: change.at ?? NOW },
      {
        userId,
        points,
        reason: change.reason ?? 'points-mine',
        key: `earn-${newId()}`,
        ref: change.ref ?? 'x',
      },
    );
  const redemption = (userId: string, change: Partial<Redemption> = {}): Redemption => ({
    id: newId(),
    userId,
    idemKey: `key-${newId()}`,
    item: 'fee-10-7',
    points: 800n,
    effect: { kind: 'fee-discount', bps: bps(1_000), days: 7 },
    startsAt: NOW,
    endsAt: NOW + HOUR,
    createdAt: NOW,
    ...change,
  });

  describe('points', () => {
    it('keep every field of a miner, and the tap’s points with it', async () => {
      const { user, miner } = await person();
      expect(await db().points.find(user.telegramId, user.id)).toEqual({ miner: null, points: 0n });
      const full: Miner = {
        ...miner,
        energy: 90,
        energyAt: NOW + 5,
        minedToday: 10,
        streak: 3,
        lastTapAt: NOW + 7,
        taps: 9,
        fastTaps: 2,
        pauses: 6,
        pauseSumMs: 6_000_000_000,
        pauseSquaresMs: 9_000_000_000_000,
      };
      expect(await db().points.saveTap(full, 0, earn(user.id, 10n))).toBe(true);
      expect(await db().points.find(user.telegramId, user.id)).toEqual({ miner: full, points: 10n });
    });

    it('write a tap only over the version it was computed from, and post nothing else', async () => {
      const { user, miner } = await person();
      await db().points.saveTap(miner, 0, earn(user.id, 10n));
      expect(await db().points.saveTap(miner, 0, earn(user.id, 10n))).toBe(false);
      expect(await db().points.saveTap({ ...miner, version: 2 }, 5, null)).toBe(false);
      expect(await db().points.saveTap({ ...miner, version: 2 }, 1, null)).toBe(true);
      expect((await db().points.find(user.telegramId, user.id)).points).toBe(10n);
    });

    it('let one of twenty simultaneous taps through', async () => {
      const { user, miner } = await person();
      const results = await Promise.all(
        Array.from({ length: 20 }, () => db().points.saveTap(miner, 0, earn(user.id, 10n))),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await db().ledger.balance({ kind: 'points', owner: user.id })).toBe(10n);
    });

    it('count mined points everywhere at once, and let them be spent', async () => {
      const { user, miner } = await person();
      const tap = (version: number, at: number) =>
        db().points.saveTap(
          { ...miner, version, taps: version },
          version - 1,
          earn(user.id, 10n, { at, ref: 'today' }),
        );
      for (let n = 1; n <= 5; n += 1) expect(await tap(n, NOW + n)).toBe(true);
      const points = { kind: 'points', owner: user.id } as const;
      expect(await db().ledger.balance(points)).toBe(50n);
      const day = { from: TODAY, until: TODAY + DAY };
      expect(await db().points.facts(user.id, day)).toMatchObject({ mined: 50 });
      expect(await db().points.board(day, 0, user.id)).toMatchObject([{ userId: user.id, points: 50n }]);
      expect(await db().points.history(user.id, { offset: 0, limit: 5 })).toEqual([
        { reason: 'points-mine', ref: 'today', at: NOW + 5, points: 50n },
      ]);
      const spend = (amount: bigint) =>
        db().ledger.post(
          redeemTransfer(
            { id: newId(), createdAt: NOW + 6 },
            { userId: user.id, redemptionId: newId(), item: 'x', points: amount },
          ),
        );
      await expect(spend(51n)).rejects.toThrow(RangeError);
      expect(await db().ledger.balance(points)).toBe(50n);
      await spend(45n);
      expect(await tap(6, NOW + 7)).toBe(true);
      expect(await db().ledger.balance(points)).toBe(15n);
      expect((await db().points.find(user.telegramId, user.id)).points).toBe(15n);
      // Another day's taps are another line.
      await db().points.saveTap(
        { ...miner, version: 7 },
        6,
        earn(user.id, 10n, { at: NOW + DAY, ref: 'next' }),
      );
      const lines = await db().points.history(user.id, { offset: 0, limit: 5 });
      expect(lines.map(({ reason, ref, points: sum }) => [reason, ref, sum])).toEqual([
        ['points-mine', 'next', 10n],
        ['points-mine', 'today', 60n],
        ['points-redeem', 'x', -45n],
      ]);
      await expect(db().points.facts(user.id, { from: TODAY + 1, until: TODAY + DAY })).rejects.toThrow(
        RangeError,
      );
    });

    it('refuse to go back in time', async () => {
      const { miner } = await person();
      await db().points.saveTap(miner, 0, null);
      const later = { ...miner, version: 2 };
      await expect(db().points.saveTap({ ...later, day: miner.day - 1 }, 1, null)).rejects.toThrow(
        'back in time',
      );
      await expect(db().points.saveTap({ ...later, energyAt: NOW - 1 }, 1, null)).rejects.toThrow(
        'back in time',
      );
    });

    it('never fall below zero', async () => {
      const { user } = await person();
      await db().ledger.post(earn(user.id, 10n));
      const spend = () =>
        redeemTransfer(
          { id: newId(), createdAt: NOW },
          { userId: user.id, redemptionId: newId(), item: 'x', points: 6n },
        );
      const results = await Promise.allSettled(
        [spend(), spend(), spend()].map((one) => db().ledger.post(one)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await db().ledger.balance({ kind: 'points', owner: user.id })).toBe(4n);
    });

    it('count facts within a span', async () => {
      const { user, wallet } = await person();
      const { user: invitee } = await storedPerson(db(), { inviterId: user.id });
      await db().ledger.postAll([
        earn(user.id, 50n, { reason: 'points-trade' }),
        earn(user.id, 7n, { reason: 'points-trade', at: TODAY + DAY }),
        earn(user.id, 10n),
        earn(user.id, 10n, { at: TODAY + DAY - 1 }),
        earn(invitee.id, 10n),
      ]);
      await db().intents.insert(intentRow(wallet, { status: 'SUCCEEDED' }));
      for (const kind of ['buy', 'sell', 'withdraw-sol'] as const) {
        const { user: other } = await storedPerson(db());
        const who = kind === 'withdraw-sol' ? other : invitee;
        await db().referrals.addReward(rewardRow(user, who, await storedIntent(db(), { kind })));
      }
      await db().guards.save({ ...(await db().guards.find(user.id)), pinHash: 'hash' }, PASSED);
      const none = { trades: 0, 'trade-points': 0, mined: 0, pin: 1, invitees: 0, tokens: 0 };
      const day = { ...none, trades: 1, 'trade-points': 50, mined: 20, invitees: 1 };
      expect(await db().points.facts(user.id, { from: TODAY, until: TODAY + DAY })).toEqual(day);
      expect(await db().points.facts(user.id, { from: 0, until: Number.MAX_SAFE_INTEGER })).toEqual({
        ...day,
        trades: 2,
        'trade-points': 57,
      });
      expect(await db().points.facts(user.id, { from: 0, until: TODAY })).toEqual(none);
    });

    it('tell which keys were posted', async () => {
      const { user } = await person();
      const transfer = earn(user.id, 1n);
      await db().ledger.post(transfer);
      expect(await db().points.posted([transfer.key, 'never'])).toEqual(new Set([transfer.key]));
    });

    it('show the history newest first, a day’s mining as one line', async () => {
      const { user } = await person();
      await db().ledger.postAll([
        earn(user.id, 10n, { ref: '2026-06-01' }),
        earn(user.id, 10n, { ref: '2026-06-01', at: NOW + 1 }),
        earn(user.id, 50n, { reason: 'points-trade', at: NOW + 2 }),
        earn(user.id, 20n, { reason: 'points-mission', ref: 'pin', at: NOW + 3 }),
        earn(user.id, 20n, { reason: 'points-mission', ref: 'pin', at: NOW + 4 }),
      ]);
      const lines = await db().points.history(user.id, { offset: 0, limit: 10 });
      expect(lines.map(({ reason, points }) => [reason, points])).toEqual([
        ['points-mission', 20n],
        ['points-mission', 20n],
        ['points-trade', 50n],
        ['points-mine', 20n],
      ]);
      expect(lines.at(-1)).toEqual({ reason: 'points-mine', ref: '2026-06-01', at: NOW + 1, points: 20n });
      expect(await db().points.history(user.id, { offset: 1, limit: 2 })).toEqual(lines.slice(1, 3));
    });

    it('rank a week by what was earned, by name only for those who gave one', async () => {
      const [ada, bob, cy] = [await person(), await person(), await person()];
      // A week of its own: other tests earn at other times.
      const from = TODAY + 41 * DAY;
      const at = from + 1;
      await db().ledger.postAll([
        earn(ada.user.id, 30n, { at }),
        earn(bob.user.id, 50n, { at, reason: 'points-trade' }),
        earn(cy.user.id, 10n, { at }),
        earn(cy.user.id, 900n, { at: from - 1 }),
        redeemTransfer(
          { id: newId(), createdAt: at },
          { userId: bob.user.id, redemptionId: newId(), item: 'x', points: 45n },
        ),
      ]);
      await db().points.setBoardName(bob.user.id, 'Bob');
      await db().points.setBoardName(ada.user.id, 'Ada');
      await db().points.setBoardName(ada.user.id, null);
      expect(await db().points.boardName(bob.user.id)).toBe('Bob');
      expect(await db().points.boardName(ada.user.id)).toBeNull();
      expect(await db().points.board({ from, until: from + DAY }, 1, cy.user.id)).toEqual([
        { userId: bob.user.id, name: 'Bob', place: 1, points: 50n },
        { userId: cy.user.id, name: null, place: 3, points: 10n },
      ]);
    });
  });

  describe('the shop', () => {
    it('keeps every field, once per key', async () => {
      const { user } = await person();
      const first = redemption(user.id);
      const second = redemption(user.id, {
        effect: { kind: 'sol-rebate', lamports: 9_007_199_254_740_993n },
        endsAt: null,
      });
      await db().shop.insert(first);
      await db().shop.insert(second);
      expect(await db().shop.findByKey(first.idemKey)).toEqual(first);
      expect(await db().shop.findByKey('none')).toBeNull();
      expect(await db().shop.listByUser(user.id)).toEqual([second, first]);
      await expect(db().shop.insert(redemption(user.id, { idemKey: first.idemKey }))).rejects.toThrow();
    });

    it('never sells more than there is', async () => {
      const name = `item-${newId()}`;
      expect(await db().shop.take(name, 1n)).toBeNull();
      await db().shop.setStock(name, 7n);
      const taken = await Promise.all(
        Array.from({ length: 30 }, () => db().transact((stores) => stores.shop.take(name, 2n))),
      );
      expect(taken.filter(Boolean)).toHaveLength(3);
      expect(await db().shop.stock([name, 'none'])).toEqual(new Map([[name, 1n]]));
    });
  });
}
