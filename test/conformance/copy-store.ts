import type { Address } from '@tradepost/solana';
import { firstIdOfSlot } from '@tradepost/tape';
import { beforeAll, describe, expect, it } from 'vitest';
import { COPY_DEFAULTS, type Copy } from '../../src/modules/copying/rules/copy.ts';
import { type CopyTrade, legOf } from '../../src/modules/copying/rules/copy-trade.ts';
import { skip } from '../../src/modules/copying/rules/judge-copy.ts';
import type { PaperCopy, PaperTrade } from '../../src/modules/copying/rules/paper-copy.ts';
import type { LeaderTrade } from '../../src/modules/follows/rules/leader-trade.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { leaderTradeRow } from './follow-store.ts';
import { attemptRow, NOW, newAddress, newId, storedIntent, storedPerson } from './store-rows.ts';

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

export function paperCopyRow(
  of: { readonly userId: string; readonly walletId: string },
  more: Partial<PaperCopy> = {},
): PaperCopy {
  const { rules, leader, followId, since } = copyRow(of);
  return { ...of, leader, followId, rules, since, ...more };
}

export function paperTradeRow(
  { userId, leader }: PaperCopy,
  trade: LeaderTrade,
  more: Partial<PaperTrade> = {},
): PaperTrade {
  const { signature, mint, side } = trade;
  const filled = { skip: null, lamports: SOL, network: 5_000n, units: 7n, seenAt: NOW };
  return { userId, leader, signature, leg: legOf(trade), mint, side, ...filled, ...more };
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
      const swap = { leader, signature: newAddress(), at: NOW + 10, tradeId: 71_000_020n };
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

    it('decide on many at once, each once, and lock those that nothing has locked', async () => {
      const [copy, other] = [copyRow(of), copyRow(of)];
      for (const one of [copy, other]) await db.copies.insert(PASSED, one);
      const trade = (leader: Address) => leaderTradeRow({ leader, at: NOW + 10 });
      const [early, late, foreign] = [trade(copy.leader), trade(copy.leader), trade(other.leader)];
      const skipped = { status: 'SKIPPED', intentId: null, amount: 0n, seenAt: NOW + 1 } as const;
      const small = { ...skipped, skip: skip('leader-small', 3n, 5n) };
      const bought = copyTradeRow(copy, early);
      await db.copies.decide(bought);
      const first = copyTradeRow(copy, late, small);
      const owed = copyTradeRow(other, foreign, {
        status: 'OWED',
        intentId: null,
        dueAt: NOW + 7,
        amount: 5n,
      });
      const unknown = copyTradeRow({ ...copy, id: newId() }, late, small);
      await db.copies.decideAll([copyTradeRow(copy, early, small), first, owed, unknown]);
      await db.copies.decideAll([]);
      expect(await db.copies.findTrade(bought)).toEqual(bought);
      expect(await db.copies.findTrade(first)).toEqual(first);
      expect(await db.copies.findTrade(owed)).toEqual(owed);
      expect(await db.copies.findTrade(unknown)).toBeNull();
      const ids = [copy.id, other.id, newId()];
      const free = await db.transact((stores) => stores.copies.lockFree(ids));
      expect(new Map(free.map((one) => [one.id, one]))).toEqual(
        new Map([
          [copy.id, copy],
          [other.id, other],
        ]),
      );
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
      const other = newAddress();
      const beside = leaderTradeRow({ leader, mint: other });
      await db.copies.decide(copyTradeRow(copy, beside, { status: 'BOUGHT', amount: 7n, seenAt: NOW - 20 }));
      const byMint = await db.copies.spentByMint([copy.id, newId()], NOW - 10);
      expect(new Map(byMint.map((one) => [one.mint, one]))).toEqual(
        new Map([
          [mint, { copyId: copy.id, mint, today: 50n, inAll: 150n }],
          [other, { copyId: copy.id, mint: other, today: 0n, inAll: 7n }],
        ]),
      );
      expect(await db.copies.spentByMint([], 0)).toEqual([]);
      expect(await db.copies.crowd(leader, mint)).toBe(75n);
      expect(await db.copies.crowd(leader, newAddress())).toBe(0n);
      expect(await db.copies.failures(copy.id, NOW - 1)).toEqual({ count: 1, burnt: 6n });
      expect(await db.copies.failures(copy.id, NOW)).toEqual({ count: 0, burnt: 0n });
    });

    it('decide in the order of the chain within one second', async () => {
      const [copy, paper] = [copyRow(of), paperCopyRow(of)];
      await db.copies.insert(PASSED, copy);
      await db.paperCopies.begin(paper);
      const three = (leader: Address) => {
        const [mint, at] = [newAddress(), NOW + 10];
        const buy = leaderTradeRow({ leader, mint, at, tradeId: 71_000_030n });
        const sale = leaderTradeRow({ leader, mint, at, tradeId: 71_000_031n, side: 'sell' });
        return [buy, sale, leaderTradeRow({ leader, mint, at, tradeId: 71_000_032n })];
      };
      const [copied, onPaper] = [three(copy.leader), three(paper.leader)];
      await db.follows.record([...copied, ...onPaper].toReversed());
      const open = (await db.copies.undecided(10_000)).filter(({ copyId }) => copyId === copy.id);
      expect(open.map(({ trade }) => trade)).toEqual(copied);
      const seen = (await db.paperCopies.undecided(NOW + 10, 10_000)).filter(
        ({ trade }) => trade.leader === paper.leader,
      );
      expect(seen.map(({ trade }) => trade)).toEqual(onPaper);
    });

    it('know a transaction of a copy’s purchase, of any try, and no sale and no other trade', async () => {
      const copy = copyRow(of);
      await db.copies.insert(PASSED, copy);
      const [bought, sold, other] = [await storedIntent(db), await storedIntent(db), await storedIntent(db)];
      const { leader } = copy;
      const decided = [
        [leaderTradeRow({ leader }), bought, 'BUYING'],
        [leaderTradeRow({ leader, side: 'sell' }), sold, 'SELLING'],
      ] as const;
      for (const [trade, { id }, status] of decided)
        await db.copies.decide(copyTradeRow(copy, trade, { status, intentId: id }));
      const tries = [attemptRow(bought, { n: 1, status: 'DEAD' }), attemptRow(bought, { n: 2 })];
      const others = [attemptRow(sold), attemptRow(other)];
      for (const attempt of [...tries, ...others]) await db.intents.insertAttempt(attempt);
      for (const { signature } of tries) expect(await db.copies.isPurchase(signature)).toBe(true);
      for (const { signature } of others) expect(await db.copies.isPurchase(signature)).toBe(false);
      expect(await db.copies.isPurchase('none')).toBe(false);
      const all = [...tries, ...others].map(({ signature }) => signature);
      expect(await db.copies.purchasesAmong([...all, 'none'])).toEqual(
        new Set(tries.map(({ signature }) => signature)),
      );
    });

    it('know how many slots behind their leaders their purchases landed', async () => {
      const copy = copyRow(of);
      await db.copies.insert(PASSED, copy);
      const { leader } = copy;
      const before = await db.copies.slotsBehind(100);
      const at = (slot: bigint) => ({ leader, tradeId: firstIdOfSlot(slot) + 70n });
      const trades = [
        at(500n),
        at(600n),
        { leader, tradeId: -4n },
        { ...at(700n), side: 'sell' as const },
      ].map((more) => leaderTradeRow(more));
      await db.follows.record(trades);
      for (const [n, trade] of trades.entries()) {
        const intent = await storedIntent(db);
        const row = { status: 'BOUGHT', intentId: intent.id, seenAt: NOW + 9_000_000 + n } as const;
        await db.copies.decide(copyTradeRow(copy, trade, row));
        const landed = { landedSlot: 604n, status: n === 0 ? 'LANDED_ERR' : 'CONFIRMED' } as const;
        await db.intents.insertAttempt(attemptRow(intent, landed));
      }
      expect(await db.copies.slotsBehind(100)).toEqual([4, ...before]);
      expect(await db.copies.slotsBehind(0)).toEqual([]);
    });

    it('on paper decide once per trade that is old enough, begin anew, and end with their decisions', async () => {
      const copy = paperCopyRow(of);
      const { leader } = copy;
      const at = (ms: number, side: 'buy' | 'sell') =>
        leaderTradeRow({ leader, at: NOW + ms, side, tradeId: 71_000_040n });
      const [old, buy, sale, late] = [at(-1, 'buy'), at(5, 'buy'), at(5, 'sell'), at(9, 'buy')];
      await db.follows.record([old, buy, sale, late]);
      await db.paperCopies.begin(copy);
      const open = async (upTo: number) =>
        (await db.paperCopies.undecided(upTo, 1_000))
          .filter((one) => one.copy.userId === copy.userId && one.copy.leader === leader)
          .map(({ trade }) => trade);
      expect(await open(NOW + 8)).toEqual([sale, buy]);
      expect(await db.paperCopies.isAny()).toBe(true);
      const bought = paperTradeRow(copy, buy);
      expect(await db.paperCopies.decide(bought)).toBe(true);
      expect(await db.paperCopies.decide({ ...bought, units: 8n })).toBe(false);
      const nothing = { skip: skip('not-held'), lamports: 0n, network: 0n, units: 0n, seenAt: NOW + 1 };
      const skipped = paperTradeRow(copy, sale, nothing);
      expect(await db.paperCopies.decide(skipped)).toBe(true);
      expect(await open(NOW + 8)).toEqual([]);
      expect(await open(NOW + 9)).toEqual([late]);
      const lost = paperTradeRow(copy, late, {
        side: 'sell',
        lamports: -4_000n,
        network: 0n,
        seenAt: NOW + 2,
      });
      expect(await db.paperCopies.decide(lost)).toBe(true);
      expect(await db.paperCopies.trades(copy)).toEqual([bought, skipped, lost]);
      expect(await db.paperCopies.find(copy)).toEqual(copy);
      const wider = { ...copy, rules: { ...copy.rules, each: true }, since: NOW + 6 };
      await db.paperCopies.begin(wider);
      expect(await db.paperCopies.trades(copy)).toEqual([]);
      expect(await db.paperCopies.listByUser(copy.userId)).toContainEqual(wider);
      expect(await db.paperCopies.end(copy)).toBe(true);
      expect(await db.paperCopies.end(copy)).toBe(false);
      expect(await db.paperCopies.decide(bought)).toBe(false);
      expect(await db.paperCopies.find(copy)).toBeNull();
    });
  });
}
