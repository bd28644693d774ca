import type { Address } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Signal } from '../../src/modules/follows/rules/signal.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { followRow, leaderTradeRow } from './follow-store.ts';
import { NOW, newAddress, newId, storedPerson } from './store-rows.ts';

export const signalRow = (userId: string, more: Partial<Signal> = {}): Signal => ({
  userId,
  wallets: 3,
  spanMs: 1_800_000,
  hourAt: null,
  hourTold: 0,
  hourHeld: 0,
  ...more,
});

/** The rules of signals of followed wallets as they are stored. */
export function describeSignalStore(database: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = database();
  });
  const person = async () => (await storedPerson(db)).user.id;

  describe('signals', () => {
    it('are one per person, whole, changed without their hour, and removed', async () => {
      const userId = await person();
      expect(await db.signals.find(userId)).toBeNull();
      const signal = signalRow(userId, { hourAt: NOW, hourTold: 20, hourHeld: 4 });
      await db.signals.save(signal);
      expect(await db.signals.find(userId)).toEqual(signal);
      await db.signals.save(signalRow(userId, { wallets: 10, spanMs: 86_400_000 }));
      const changed = { ...signal, wallets: 10, spanMs: 86_400_000 };
      expect(await db.signals.find(userId)).toEqual(changed);
      const due = async (at: number) =>
        (await db.transact((stores) => stores.signals.dueDigests(at))).filter((row) => row.userId === userId);
      expect([await due(NOW - 1), await due(NOW)]).toEqual([[], [changed]]);
      await db.signals.count({ userId, hourAt: NOW + 5, hourTold: 1, hourHeld: 0 });
      expect(await db.signals.find(userId)).toEqual({
        ...changed,
        hourAt: NOW + 5,
        hourTold: 1,
        hourHeld: 0,
      });
      expect(await due(NOW + 5)).toEqual([]);
      await db.signals.remove(userId);
      await db.signals.remove(userId);
      expect(await db.signals.find(userId)).toBeNull();
      // Counting one that was switched off makes none.
      await db.signals.count({ userId, hourAt: NOW, hourTold: 1, hourHeld: 0 });
      expect(await db.signals.find(userId)).toBeNull();
    });

    it('are found by the wallets that their people follow, each once', async () => {
      const [ana, bob, eve] = [await person(), await person(), await person()];
      const [one, other] = [newAddress(), newAddress()];
      for (const leader of [one, other]) await db.follows.insert(followRow(ana, { leader }));
      await db.follows.insert(followRow(bob, { leader: one }));
      await db.follows.insert(followRow(eve));
      for (const userId of [ana, eve]) await db.signals.save(signalRow(userId));
      const of = (leaders: readonly Address[]) =>
        db.transact((stores) => stores.signals.ofFollowers(leaders));
      expect(await of([one, other, newAddress()])).toEqual([signalRow(ana)]);
      expect(await of([newAddress()])).toEqual([]);
      const owned = (await db.follows.ofPeople([ana, bob])).map(({ userId, leader }) => [userId, leader]);
      expect(owned).toHaveLength(3);
      expect(owned).toEqual(
        expect.arrayContaining([
          [ana, one],
          [ana, other],
          [bob, one],
        ]),
      );
      expect(await db.follows.ofPeople([newId()])).toEqual([]);
    });

    it('have one newest window per person and token, and only a later one takes its place', async () => {
      const [userId, other] = [await person(), await person()];
      const [mint, koi] = [newAddress(), newAddress()];
      const hit = { userId, mint, beganAt: NOW, until: NOW + 100 };
      expect(await db.signals.addHit(hit)).toBe(true);
      // The same, one that begins in it, one that begins at its end, and one of before.
      for (const beganAt of [NOW, NOW + 50, NOW + 100, NOW - 500])
        expect(await db.signals.addHit({ ...hit, beganAt, until: beganAt + 100 })).toBe(false);
      expect(await db.signals.hits([userId], [mint])).toEqual([hit]);
      expect(await db.signals.addHit({ ...hit, userId: other })).toBe(true);
      expect(await db.signals.addHit({ ...hit, mint: koi })).toBe(true);
      const next = { ...hit, beganAt: NOW + 101, until: NOW + 201 };
      expect(await db.signals.addHit(next)).toBe(true);
      expect(await db.signals.hits([userId, newId()], [mint, newAddress()])).toEqual([next]);
      expect(await db.signals.hits([userId, other], [mint, koi])).toHaveLength(3);
      // Off and on again, a sent message stays sent.
      await db.signals.save(signalRow(userId));
      await db.signals.remove(userId);
      expect(await db.signals.addHit(next)).toBe(false);
    });

    it('give a window to one of many workers at the same time', async () => {
      const [userId, mint] = [await person(), newAddress()];
      const race = (beganAt: number) =>
        Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            db.transact((stores) =>
              stores.signals.addHit({ userId, mint, beganAt: beganAt + n, until: beganAt + n + 100 }),
            ),
          ),
        );
      for (const beganAt of [NOW, NOW + 1_000, NOW + 2_000])
        expect((await race(beganAt)).filter(Boolean)).toHaveLength(1);
    });

    it('count purchases of these wallets in these tokens between two moments, in the order of the chain', async () => {
      const [mint, koi, leader, second] = [newAddress(), newAddress(), newAddress(), newAddress()];
      const rows = [
        leaderTradeRow({ leader, mint, at: NOW, tradeId: 81_000_001n }),
        leaderTradeRow({ leader: second, mint, at: NOW, tradeId: 81_000_002n }),
        leaderTradeRow({ leader, mint, at: NOW + 1, tradeId: 81_000_000n }),
        leaderTradeRow({ leader, mint: koi, at: NOW + 2, tradeId: 81_000_003n }),
        leaderTradeRow({ leader, mint, at: NOW - 1, tradeId: 81_000_004n }),
        leaderTradeRow({ mint, at: NOW + 3, tradeId: 81_000_005n }),
        leaderTradeRow({ leader: second, mint, at: NOW + 1, tradeId: 81_000_006n, side: 'sell' }),
      ];
      await db.follows.record(rows.toReversed());
      await db.follows.takeBack([81_000_000n]);
      const bought = (until: number | null, mints = [mint]) =>
        db.follows.purchases([leader, second], mints, { since: NOW, until });
      const gone = { ...rows[2], takenBack: true };
      expect(await bought(null)).toEqual([rows[0], rows[1], gone]);
      expect(await bought(NOW + 1)).toEqual([rows[0], rows[1], gone]);
      expect(await bought(NOW)).toEqual([rows[0], rows[1]]);
      expect(await bought(null, [koi, mint])).toEqual([rows[0], rows[1], gone, rows[3]]);
      expect(await bought(null, [])).toEqual([]);
    });

    it('look at the newest twenty purchases of a wallet in a token', async () => {
      const [mint, koi, robot, other] = [newAddress(), newAddress(), newAddress(), newAddress()];
      const rows = Array.from({ length: 25 }, (_, n) =>
        leaderTradeRow({ leader: robot, mint, at: NOW + n, tradeId: BigInt(82_000_000 + n) }),
      );
      const rare = leaderTradeRow({ leader: other, mint, at: NOW, tradeId: 82_000_100n });
      const elsewhere = leaderTradeRow({ leader: robot, mint: koi, at: NOW, tradeId: 82_000_101n });
      await db.follows.record([...rows, rare, elsewhere]);
      const bought = (until: number | null) =>
        db.follows.purchases([robot, other], [mint, koi], { since: NOW, until });
      expect(await bought(null)).toEqual([rare, elsewhere, ...rows.slice(5)]);
      expect(await bought(NOW + 21)).toEqual([rare, elsewhere, ...rows.slice(2, 22)]);
    });
  });
}
