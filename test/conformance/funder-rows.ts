import type { Address } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNDER, type LeaderFunder } from '../../src/modules/follows/rules/leader-funder.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { followRow } from './follow-store.ts';
import { NOW, newAddress, storedPerson } from './store-rows.ts';

/** The search for the funders of followed wallets as it is stored. */
export function describeFunderRows(database: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = database();
  });
  const person = async () => (await storedPerson(db)).user.id;

  describe('the funders of followed wallets', () => {
    it('are searched for once per wallet, one try after the other, and kept until its last follower leaves', async () => {
      const userId = await person();
      const follow = followRow(userId);
      const { leader } = follow;
      await db.follows.insert(follow);
      const begun: LeaderFunder = { leader, funder: null, ended: null, tries: 0, retryAt: null };
      await db.follows.beginFunders();
      const tried = { ...begun, tries: 1, retryAt: NOW + 5 };
      expect(await db.follows.moveFunder(begun, tried)).toBe(true);
      // Another process was slower.
      expect(await db.follows.moveFunder(begun, { ...begun, ended: 'long' })).toBe(false);
      await db.follows.beginFunders();
      const funder = newAddress();
      expect(await db.follows.moveFunder(tried, { ...tried, funder, ended: 'found' })).toBe(true);
      expect(await db.follows.moveFunder(tried, { ...tried, ended: 'cut' })).toBe(false);
      expect(await db.follows.funders([leader, newAddress()])).toEqual(new Map([[leader, funder]]));
      expect(await db.follows.funders([])).toEqual(new Map());
      await db.follows.remove(follow.id);
      await db.follows.beginFunders();
      expect(await db.follows.funders([leader])).toEqual(new Map());
    });

    it('are asked for in the order of their tries, and not before their time', async () => {
      const userId = await person();
      const leaders = [newAddress(), newAddress()];
      for (const leader of leaders) await db.follows.insert(followRow(userId, { leader }));
      await db.follows.beginFunders();
      const begun = { funder: null, ended: null, tries: 0, retryAt: null } as const;
      const [late = newAddress(), soon = newAddress()] = leaders;
      await db.follows.moveFunder(
        { ...begun, leader: late },
        { ...begun, leader: late, tries: 9, retryAt: NOW },
      );
      await db.follows.moveFunder(
        { ...begun, leader: soon },
        { ...begun, leader: soon, tries: 8, retryAt: NOW },
      );
      /** The open ones in turn; others of this database are ended on the way. */
      const inTurn = async (now: number): Promise<readonly Address[]> => {
        const found: Address[] = [];
        for (
          let row = await db.follows.openFunder(now);
          row !== null;
          row = await db.follows.openFunder(now)
        ) {
          found.push(row.leader);
          await db.follows.moveFunder(row, { ...row, ended: 'long' });
        }
        return found.filter((leader) => leaders.includes(leader));
      };
      expect(await inTurn(NOW - 1)).toEqual([]);
      expect(await inTurn(NOW)).toEqual([soon, late]);
      expect(await inTurn(NOW)).toEqual([]);
    });

    it('are asked for again where a clock was set back', async () => {
      const follow = followRow(await person());
      await db.follows.insert(follow);
      await db.follows.beginFunders();
      const { leader } = follow;
      const begun = { leader, funder: null, ended: null, tries: 0, retryAt: null };
      await db.follows.moveFunder(begun, { ...begun, tries: 1, retryAt: NOW });
      const open = async (now: number) => (await db.follows.openFunder(now))?.leader === leader;
      expect(await open(NOW - FUNDER.longestRetryMs)).toBe(false);
      expect(await open(NOW - FUNDER.longestRetryMs - 1)).toBe(true);
      await db.follows.remove(follow.id);
      await db.follows.beginFunders();
    });
  });
}
