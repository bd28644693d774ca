import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commitmentText, type Round } from '../../src/modules/games/rules/round.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newId, storedPerson } from './store-rows.ts';

const SEED = '6f'.repeat(32);

export function describeGameStores(db: () => Database): void {
  const roundRow = (userId: string, change: Partial<Round> = {}): Round => {
    const name = { id: newId(), table: 'coin-1', ...change };
    return {
      userId,
      game: 'coin',
      commitment: createHash('sha256').update(commitmentText(name, SEED)).digest('hex'),
      createdAt: NOW,
      bet: null,
      result: null,
      ...name,
    };
  };
  const bet = { choice: 1, points: 50n, day: 20_000, at: NOW + 1 };
  const result = { seed: SEED, payout: 95n, at: NOW + 2 };

  describe('games', () => {
    it('keep every field of a round, step by step', async () => {
      const { user } = await storedPerson(db());
      const round = roundRow(user.id);
      expect(await db().games.insert(round)).toBe(true);
      expect(await db().games.find(round.id)).toEqual(round);
      expect(await db().games.open(user.id, 'coin-1')).toEqual(round);
      expect(await db().games.start(round.id, bet)).toBe(true);
      expect(await db().games.find(round.id)).toEqual({ ...round, bet });
      expect(await db().games.open(user.id, 'coin-1')).toBeNull();
      expect(await db().games.settle(round.id, result)).toBe(true);
      expect(await db().games.find(round.id)).toEqual({ ...round, bet, result });
      expect(await db().games.find('none')).toBeNull();
    });

    it('hold one open round per person and table', async () => {
      const { user } = await storedPerson(db());
      const inserted = await Promise.all(
        Array.from({ length: 8 }, () => db().games.insert(roundRow(user.id))),
      );
      expect(inserted.filter(Boolean)).toHaveLength(1);
      expect(await db().games.insert(roundRow(user.id, { table: 'wheel-1', game: 'wheel' }))).toBe(true);
      const open = await db().games.open(user.id, 'coin-1');
      await db().games.start(open?.id ?? '', bet);
      expect(await db().games.insert(roundRow(user.id))).toBe(true);
    });

    it('take one bet and one result, whoever comes at once', async () => {
      const { user } = await storedPerson(db());
      const round = roundRow(user.id);
      await db().games.insert(round);
      const bets = await Promise.all(
        [0, 1, 0, 1].map((choice) => db().games.start(round.id, { ...bet, choice })),
      );
      expect(bets.filter(Boolean)).toHaveLength(1);
      const results = await Promise.all([1, 2, 3].map(() => db().games.settle(round.id, result)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await db().games.start('none', bet)).toBe(false);
      expect(await db().games.settle('none', result)).toBe(false);
    });

    it('refuse a seed that is not the committed one, a result without a bet, stakes and payouts below zero', async () => {
      const { user } = await storedPerson(db());
      const round = roundRow(user.id);
      await db().games.insert(round);
      await expect(db().games.settle(round.id, result)).rejects.toThrow();
      await expect(db().games.start(round.id, { ...bet, points: 0n })).rejects.toThrow();
      await expect(db().games.start(round.id, { ...bet, points: -10n })).rejects.toThrow();
      await db().games.start(round.id, bet);
      await expect(db().games.settle(round.id, { ...result, seed: 'ab'.repeat(32) })).rejects.toThrow();
      await expect(db().games.settle(round.id, { ...result, payout: -1n })).rejects.toThrow();
      expect((await db().games.find(round.id))?.result).toBeNull();
    });

    it('count what was staked on a day or later, and list what is started', async () => {
      const { user } = await storedPerson(db());
      const rounds: Round[] = [];
      for (const day of [9, 10, 11]) {
        const round = roundRow(user.id);
        rounds.push(round);
        await db().games.insert(round);
        await db().games.start(round.id, { ...bet, day, at: NOW - 1e9 + day });
      }
      expect(await db().games.staked(user.id, 'coin', 10)).toBe(100n);
      expect(await db().games.staked(user.id, 'wheel', 0)).toBe(0n);
      const started = async () => {
        const ids = await db().games.started(NOW - 1e9 + 11, 1_000);
        return rounds.map(({ id }) => id).filter((id) => ids.includes(id));
      };
      expect(await started()).toEqual(rounds.slice(0, 2).map(({ id }) => id));
      await db().games.settle(rounds[0]?.id ?? '', result);
      expect(await started()).toEqual([rounds[1]?.id]);
    });
  });
}
