import { describe, expect, it } from 'vitest';
import type { ConvertEntry, ConvertPeriod } from '../../src/modules/convert/rules.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newId, storedPerson } from './store-rows.ts';

const HOUR = 3_600_000;
/** Periods must not overlap, and all tests share one database. */
let next = NOW;

export function describeConvertStores(db: () => Database): void {
  const announce = async (): Promise<ConvertPeriod> => {
    next += 2 * HOUR;
    const period = await db().convert.announce({
      budgetLamports: 9_007_199_254_740_993n,
      opensAt: next,
      closesAt: next + HOUR,
      announcedAt: NOW,
      seal: null,
    });
    if (period === null) throw new Error('overlaps');
    return period;
  };
  const give = async (period: number, userId: string, points: bigint): Promise<ConvertEntry> => {
    const entry = { id: newId(), period, userId, idemKey: `key-${newId()}`, points, createdAt: NOW };
    await db().convert.insertEntry(entry);
    return entry;
  };
  const begin = (number: number) => db().transact((stores) => stores.convert.begin(number));

  describe('convert', () => {
    it('numbers periods in order and keeps every field', async () => {
      const [a, b] = [await announce(), await announce()];
      expect(b.number).toBe(a.number + 1);
      expect(await db().convert.find(a.number)).toEqual(a);
      expect(await db().convert.hold(a.number)).toEqual(a);
      expect((await db().convert.list(2)).map(({ number }) => number)).toEqual([b.number, a.number]);
      expect(await db().convert.find(999_999)).toBeNull();
    });

    it('refuses dates that overlap, until the other period is cancelled, and periods that make no sense', async () => {
      const { number, announcedAt, opensAt, closesAt, budgetLamports } = await announce();
      const request = {
        announcedAt,
        seal: null,
        opensAt: opensAt + 1,
        closesAt: closesAt + 1,
        budgetLamports,
      };
      expect(await db().convert.announce(request)).toBeNull();
      expect(
        await db().convert.cancel(number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' }),
      ).toBe(true);
      expect(
        await db().convert.cancel(number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' }),
      ).toBe(false);
      const again = await db().convert.announce(request);
      expect(again?.number).toBe(number + 1);
      next += HOUR;
      await expect(db().convert.announce({ ...request, closesAt: request.opensAt })).rejects.toThrow();
      await expect(
        db().convert.announce({ ...request, opensAt: 0, closesAt: 1, budgetLamports: 0n }),
      ).rejects.toThrow();
    });

    it('keeps entries, once per key, and counts them', async () => {
      const { number } = await announce();
      const [a, b] = [(await storedPerson(db())).user, (await storedPerson(db())).user];
      const first = await give(number, a.id, 100n);
      await give(number, a.id, 50n);
      await give(number, b.id, 7n);
      expect(await db().convert.entryByKey(first.idemKey)).toEqual(first);
      expect(await db().convert.entryByKey('none')).toBeNull();
      await expect(db().convert.insertEntry({ ...first, id: newId() })).rejects.toThrow();
      await expect(give(number, a.id, -1n)).rejects.toThrow();
      await expect(give(999_999, a.id, 1n)).rejects.toThrow();
      expect(await db().convert.entered(number, a.id)).toEqual({ total: 157n, own: 150n });
    });

    it('goes from announced to settled once, with its sums, when everybody has an outcome', async () => {
      const { number } = await announce();
      const [a, b] = [(await storedPerson(db())).user, (await storedPerson(db())).user];
      await give(number, a.id, 100n);
      await give(number, a.id, 50n);
      await give(number, b.id, 50n);
      expect(await db().convert.finish(number)).toBe(false);
      expect(await begin(number)).toBe(true);
      expect(await begin(number)).toBe(false);
      expect(
        await db().convert.cancel(number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' }),
      ).toBe(false);
      expect(await db().convert.find(number)).toMatchObject({ status: 'SETTLING', totalPoints: 200n });
      const waiting = [...(await db().convert.waiting(number, 10))];
      const expected = [a, b].map(({ id }, i) => ({ userId: id, points: i === 0 ? 150n : 50n }));
      expect(waiting).toEqual(expected.sort((x, y) => (x.userId < y.userId ? -1 : 1)));
      const outcome = { period: number, userId: a.id, points: 150n, lamports: 3n, at: NOW };
      expect(await db().convert.insertOutcome(outcome)).toBe(true);
      expect(await db().convert.insertOutcome({ ...outcome, lamports: 4n })).toBe(false);
      expect(await db().convert.finish(number)).toBe(false);
      expect(await db().convert.waiting(number, 10)).toEqual([{ userId: b.id, points: 50n }]);
      await db().convert.insertOutcome({ ...outcome, userId: b.id, points: 50n, lamports: 0n });
      expect(await db().convert.finish(number)).toBe(true);
      expect(await db().convert.finish(number)).toBe(false);
      expect(await db().convert.find(number)).toMatchObject({ status: 'SETTLED', paidLamports: 3n });
      expect(await db().convert.lastOutcome(a.id)).toEqual(outcome);
      expect(await db().convert.lastOutcome('none')).toBeNull();
    });

    it('names cancelled periods until their points went back', async () => {
      const { number } = await announce();
      const { user } = await storedPerson(db());
      await give(number, user.id, 100n);
      expect(await db().convert.cancelledWaiting()).not.toContain(number);
      await db().convert.cancel(number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' });
      expect(await begin(number)).toBe(false);
      expect(await db().convert.cancelledWaiting()).toContain(number);
      await db().convert.insertOutcome({
        period: number,
        userId: user.id,
        points: 100n,
        lamports: 0n,
        at: NOW,
      });
      expect(await db().convert.cancelledWaiting()).not.toContain(number);
    });

    it('takes each watcher off the list once', async () => {
      while ((await db().convert.takeWatchers(100)).length > 0);
      const people = [(await storedPerson(db())).user.id, (await storedPerson(db())).user.id];
      for (const id of [...people, ...people]) await db().convert.watch(id, NOW);
      expect(await db().convert.isWatching(people[0] ?? '')).toBe(true);
      const taken = await Promise.all(Array.from({ length: 6 }, () => db().convert.takeWatchers(1)));
      expect(taken.flat().sort()).toEqual([...people].sort());
      expect(await db().convert.isWatching(people[0] ?? '')).toBe(false);
    });
  });
}
