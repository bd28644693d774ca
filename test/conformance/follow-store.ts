import { beforeAll, describe, expect, it } from 'vitest';
import type { Follow } from '../../src/modules/follows/rules/follow.ts';
import type { LeaderTrade } from '../../src/modules/follows/rules/leader-trade.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newAddress, newId, storedPerson } from './store-rows.ts';

export function followRow(userId: string, more: Partial<Follow> = {}): Follow {
  return {
    id: newId(),
    userId,
    leader: newAddress(),
    label: 'whale',
    minLamports: 0n,
    notices: true,
    hourAt: null,
    hourTold: 0,
    hourHeld: 0,
    createdAt: NOW,
    ...more,
  };
}

export function leaderTradeRow(more: Partial<LeaderTrade> = {}): LeaderTrade {
  return {
    leader: newAddress(),
    signature: newAddress(),
    mint: newAddress(),
    side: 'buy',
    tradeId: BigInt(Number.MAX_SAFE_INTEGER) - BigInt(newId().charCodeAt(25)),
    at: NOW,
    units: 2n ** 64n - 1n,
    paid: { mint: newAddress(), units: 2n ** 64n - 1n },
    takenBack: false,
    ...more,
  };
}

/** The rules of followed wallets as they are stored. */
export function describeFollowStore(database: () => Database): void {
  let db: Database;
  let userId: string;
  beforeAll(async () => {
    db = database();
    userId = (await storedPerson(db)).user.id;
  });

  describe('followed wallets', () => {
    it('are stored once per person and wallet, whole', async () => {
      const follow = followRow(userId, { minLamports: 2n ** 63n, hourAt: NOW - 5, hourTold: 3, hourHeld: 4 });
      expect(await db.follows.insert(follow)).toBe(true);
      expect(await db.follows.insert({ ...follow, id: newId(), label: 'another' })).toBe(false);
      expect(await db.follows.find(follow.id)).toEqual(follow);
      expect(await db.follows.find(newId())).toBeNull();
      const other = (await storedPerson(db)).user.id;
      expect(await db.follows.insert({ ...follow, id: newId(), userId: other })).toBe(true);
    });

    it('are changed and counted apart, and removed', async () => {
      const other = (await storedPerson(db)).user.id;
      const [first, second] = [followRow(other), followRow(other)];
      for (const row of [first, second]) await db.follows.insert(row);
      await db.follows.change({ id: first.id, label: 'Ana', minLamports: 7n, notices: false });
      const uncounted = { id: second.id, hourAt: null, hourTold: 0, hourHeld: 0 };
      await db.follows.count([
        { id: first.id, hourAt: NOW + 1, hourTold: 20, hourHeld: 2 },
        { ...uncounted, hourTold: 3, hourAt: NOW },
      ]);
      await db.follows.count([uncounted]);
      await db.follows.count([]);
      const changed = {
        ...first,
        label: 'Ana',
        minLamports: 7n,
        notices: false,
        hourAt: NOW + 1,
        hourTold: 20,
        hourHeld: 2,
      };
      expect(await db.follows.listByUser(other)).toEqual([changed, second]);
      expect(await db.follows.followersOf([first.leader, newAddress()])).toEqual([changed]);
      expect((await db.follows.leaders()).filter((one) => one === second.leader)).toHaveLength(1);
      const due = async (at: number) =>
        (await db.transact((stores) => stores.follows.dueDigests(at))).filter((row) => row.userId === other);
      expect(await due(NOW)).toEqual([]);
      expect(await due(NOW + 1)).toEqual([changed]);
      await db.follows.remove(first.id);
      expect(await db.follows.listByUser(other)).toEqual([second]);
    });

    it('have trades that are known once, are taken back once, and may stand again', async () => {
      const trade = leaderTradeRow({ tradeId: 71_000_001n });
      const swap = leaderTradeRow({
        leader: trade.leader,
        paid: null,
        side: 'sell',
        at: NOW + 5,
        tradeId: 71_000_002n,
      });
      expect(await db.follows.record([trade])).toEqual([{ trade, how: 'new' }]);
      expect(await db.follows.record([trade, swap])).toEqual([{ trade: swap, how: 'new' }]);
      expect(await db.follows.trades(trade.leader, NOW, 5)).toEqual([swap, trade]);
      expect(await db.follows.trades(trade.leader, NOW, 1)).toEqual([swap]);
      expect(await db.follows.trades(trade.leader, NOW + 1, 5)).toEqual([swap]);
      expect(await db.follows.takeBack([trade.tradeId, 1n])).toEqual([{ ...trade, takenBack: true }]);
      expect(await db.follows.takeBack([trade.tradeId])).toEqual([]);
      // Another block has it, at another time and price.
      const paid = { mint: newAddress(), units: 5n };
      const again = { ...trade, tradeId: 71_000_003n, at: NOW + 9_000, units: 4n, paid };
      expect(await db.follows.record([again])).toEqual([{ trade: again, how: 'back' }]);
      expect(await db.follows.record([again])).toEqual([]);
      expect(await db.follows.trades(trade.leader, NOW, 5)).toEqual([again, swap]);
      expect(await db.follows.record([])).toEqual([]);
      expect(await db.follows.takeBack([])).toEqual([]);
    });

    it('are in the block that the tape named last, and a word on the block before takes nothing back', async () => {
      const slot = 2n ** 21n;
      const trade = leaderTradeRow({ tradeId: 500n * slot + 7n });
      await db.follows.record([trade]);
      const rows = () => db.follows.trades(trade.leader, 0, 9);
      // The same block: another pool of one transaction changes nothing.
      expect(await db.follows.record([{ ...trade, tradeId: 500n * slot + 8n, units: 1n }])).toEqual([]);
      const moved = { ...trade, tradeId: 501n * slot + 3n, at: NOW + 400, units: 6n, paid: null };
      expect(await db.follows.record([moved])).toEqual([{ trade: moved, how: 'moved' }]);
      expect(await rows()).toEqual([moved]);
      expect(await db.follows.takeBack([trade.tradeId])).toEqual([]);
      // The list of the wallet on the chain, read later, knows no block of the tape.
      expect(await db.follows.record([{ ...trade, tradeId: -4n }])).toEqual([]);
      expect(await db.follows.takeBack([moved.tradeId])).toEqual([{ ...moved, takenBack: true }]);
      const old = leaderTradeRow({ tradeId: -4n });
      await db.follows.record([old]);
      const heard = { ...old, tradeId: 502n * slot };
      expect(await db.follows.record([heard])).toEqual([{ trade: heard, how: 'moved' }]);
    });

    it('have trades of one second in the order of the chain, those of the past before those of the tape', async () => {
      const first = leaderTradeRow({ tradeId: -9n });
      const of = (tradeId: bigint) => leaderTradeRow({ leader: first.leader, tradeId });
      const rows = [first, of(-2n), of(71_000_011n), of(71_000_012n)];
      await db.follows.record([2, 0, 3, 1].flatMap((n) => rows[n] ?? []));
      expect(await db.follows.trades(first.leader, NOW, 9)).toEqual(rows.toReversed());
    });

    it('are read up to one place, which moves from where it was alone', async () => {
      expect(await db.follows.place()).toBeNull();
      await db.follows.startAt(7n);
      await db.follows.startAt(9n);
      expect(await db.follows.place()).toBe(7n);
      expect(await db.follows.movePlace(6n, 8n)).toBe(false);
      expect(await db.follows.movePlace(7n, 8n)).toBe(true);
      expect(await db.follows.movePlace(7n, 9n)).toBe(false);
      expect(await db.follows.place()).toBe(8n);
    });
  });
}
