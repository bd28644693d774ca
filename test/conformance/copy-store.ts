import { beforeAll, describe, expect, it } from 'vitest';
import { COPY_DEFAULTS, type Copy } from '../../src/modules/copying/rules/copy.ts';
import { type CopyTrade, legOf } from '../../src/modules/copying/rules/copy-trade.ts';
import { skip } from '../../src/modules/copying/rules/judge-copy.ts';
import type { LeaderTrade } from '../../src/modules/follows/rules/leader-trade.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { leaderTradeRow } from './follow-store.ts';
import { NOW, newAddress, newId, storedPerson } from './store-rows.ts';

const SOL = 1_000_000_000n;

export function copyRow(
  of: { readonly userId: string; readonly walletId: string },
  more: Partial<Copy> = {},
): Copy {
  return {
    id: newId(),
    ...of,
    followId: newId(),
    leader: newAddress(),
    status: 'ON',
    reason: null,
    rules: {
      ...COPY_DEFAULTS,
      accepted: ['MINT_AUTHORITY_LIVE'],
      exits: { takes: [{ atBps: 10_000, shareBps: 5_000 }], stopBps: 3_000, trailBps: null },
    },
    lockEpoch: 3,
    until: NOW + 1_000,
    certificate: 'word',
    since: NOW,
    version: 1,
    createdAt: NOW,
    ...more,
  };
}

export function copyTradeRow(copy: Copy, trade: LeaderTrade, more: Partial<CopyTrade> = {}): CopyTrade {
  const { signature, mint, side } = trade;
  return {
    copyId: copy.id,
    signature,
    leg: legOf(trade),
    userId: copy.userId,
    leader: copy.leader,
    mint,
    side,
    status: side === 'buy' ? 'BUYING' : 'SELLING',
    skip: null,
    intentId: newId(),
    amount: SOL,
    moved: 0n,
    burnt: 0n,
    tries: 0,
    dueAt: null,
    seenAt: NOW,
    ...more,
  };
}

/** The rules of copies as they are stored. */
export function describeCopyStore(database: () => Database): void {
  let db: Database;
  let of: { readonly userId: string; readonly walletId: string };
  beforeAll(async () => {
    db = database();
    const { user, wallet } = await storedPerson(db);
    of = { userId: user.id, walletId: wallet.id };
  });

  describe('copies', () => {
    it('are stored whole, once per person and leader until they are over', async () => {
      const copy = copyRow(of, { rules: { ...copyRow(of).rules, size: { kind: 'share', percent: 7 } } });
      expect(await db.copies.insert(PASSED, copy)).toBe(true);
      expect(await db.copies.insert(PASSED, { ...copy, id: newId() })).toBe(false);
      expect(await db.copies.find(copy.id)).toEqual(copy);
      expect(await db.transact((stores) => stores.copies.lock(copy.id))).toEqual(copy);
      expect(await db.copies.find(newId())).toBeNull();
      const paused: Copy = { ...copy, status: 'PAUSED', reason: 'person', until: NOW + 5, lockEpoch: 4 };
      expect(await db.copies.save(PASSED, paused)).toBe(true);
      expect(await db.copies.save(PASSED, paused)).toBe(false);
      expect(await db.copies.find(copy.id)).toEqual({ ...paused, version: 2 });
      expect((await db.copies.listByUser(of.userId)).map(({ id }) => id)).toContain(copy.id);
      expect(await db.copies.isAny()).toBe(true);
      expect(await db.copies.save(PASSED, { ...paused, status: 'ENDED', reason: null, version: 2 })).toBe(
        true,
      );
      expect(await db.copies.save(PASSED, { ...copy, version: 3 })).toBe(false);
      expect((await db.copies.listByUser(of.userId)).map(({ id }) => id)).not.toContain(copy.id);
      expect((await db.copies.page('', 10_000)).map(({ id }) => id)).toContain(copy.id);
      expect(await db.copies.insert(PASSED, { ...copy, id: newId() })).toBe(true);
    });

    it('pause together, those that are on', async () => {
      const { user, wallet } = await storedPerson(db);
      const own = { userId: user.id, walletId: wallet.id };
      const [first, second] = [copyRow(own), copyRow(own, { status: 'PAUSED', reason: 'person' })];
      for (const copy of [first, second]) await db.copies.insert(PASSED, copy);
      expect(await db.copies.pauseAll(PASSED, user.id, 'panic')).toBe(1);
      expect((await db.copies.listByUser(user.id)).map(({ reason }) => reason)).toEqual(['panic', 'person']);
    });

    it('decide on each trade of their leader since they were switched on, once', async () => {
      const copy = copyRow(of);
      await db.copies.insert(PASSED, copy);
      const { leader } = copy;
      const swap = { leader, signature: newAddress(), at: NOW + 10 };
      const [buy, sale] = [leaderTradeRow(swap), leaderTradeRow({ ...swap, side: 'sell' })];
      const early = leaderTradeRow({ leader, at: NOW - 1 });
      const gone = leaderTradeRow({ leader, at: NOW + 5, tradeId: 71n });
      await db.follows.record([buy, sale, early, gone]);
      await db.follows.takeBack([gone.tradeId]);
      const open = async () =>
        (await db.copies.undecided(10_000)).flatMap(({ copyId, trade }) =>
          copyId === copy.id ? [trade] : [],
        );
      expect(await open()).toEqual([sale, buy]);
      const row = copyTradeRow(copy, sale, { status: 'OWED', intentId: null, dueAt: NOW + 7, amount: 5n });
      expect(await db.copies.decide(row)).toBe(true);
      expect(await db.copies.decide(row)).toBe(false);
      expect(await open()).toEqual([buy]);
      const skipped = copyTradeRow(copy, buy, {
        status: 'SKIPPED',
        intentId: null,
        amount: 0n,
        skip: skip('liquidity', 3_100n, 10_000n),
        seenAt: NOW + 1,
      });
      expect(await db.copies.decide(skipped)).toBe(true);
      expect(await open()).toEqual([]);
      expect(await db.copies.latest(copy.id, 5)).toEqual([skipped, row]);
      expect(await db.copies.trades(copy.id, null)).toEqual([row]);
      expect(await db.copies.trades(copy.id, newAddress())).toEqual([]);
      expect(await db.copies.findTrade(row)).toEqual(row);
      const mine = (rows: readonly CopyTrade[]) => rows.filter(({ copyId }) => copyId === copy.id);
      expect(mine(await db.copies.owed(NOW + 6, 1_000))).toEqual([]);
      expect(mine(await db.copies.owed(NOW + 7, 1_000))).toEqual([row]);
      const sold: CopyTrade = { ...row, status: 'SOLD', intentId: newId(), moved: 5n, tries: 2, dueAt: null };
      await db.copies.saveTrade(sold);
      expect(await db.copies.byIntent(sold.intentId ?? '')).toEqual(sold);
      expect(await db.copies.byIntent(newId())).toBeNull();
    });

    it('sum up what was spent, what is in a token, and what failed', async () => {
      const copy = copyRow(of);
      await db.copies.insert(PASSED, copy);
      const { leader } = copy;
      const mint = newAddress();
      const trade = (side: 'buy' | 'sell') => leaderTradeRow({ leader, mint, side });
      const buy = (more: Partial<CopyTrade>) => copyTradeRow(copy, trade('buy'), more);
      for (const row of [
        buy({ status: 'BOUGHT', amount: 100n, moved: 40n, seenAt: NOW - 10 }),
        buy({ status: 'BUYING', amount: 50n, moved: 20n }),
        buy({ status: 'NOT_BOUGHT', amount: 1_000n, burnt: 6n }),
        copyTradeRow(copy, trade('sell'), { status: 'SOLD', amount: 30n, moved: 30n }),
      ])
        await db.copies.decide(row);
      expect(await db.copies.spent(copy.id, NOW - 10)).toEqual({ today: 50n, inAll: 150n });
      expect(await db.copies.spent(newId(), 0)).toEqual({ today: 0n, inAll: 0n });
      expect(await db.copies.crowd(leader, mint)).toBe(75n);
      expect(await db.copies.crowd(leader, newAddress())).toBe(0n);
      expect(await db.copies.failures(copy.id, NOW - 1)).toEqual({ count: 1, burnt: 6n });
      expect(await db.copies.failures(copy.id, NOW)).toEqual({ count: 0, burnt: 0n });
    });
  });
}
