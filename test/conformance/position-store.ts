import type { Address } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, dayStart } from '../../src/modules/positions/rules/day.ts';
import { foldEvents } from '../../src/modules/positions/rules/fold-events.ts';
import type { RecordedEvent } from '../../src/modules/positions/store/position-store-port.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { attemptRow, NOW, newAddress, storedIntent, storedPerson } from './store-rows.ts';

/** The rules of the store of positions. */
export function describePositionStore(open: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = open();
  });

  async function holder() {
    const { user, wallet } = await storedPerson(db);
    const mint = newAddress();
    const facts = (slot: number, signature = `signature-${wallet.id}-${slot}`) => ({
      walletId: wallet.id,
      mint,
      signature,
      slot: BigInt(slot),
      at: NOW + slot,
      final: true,
      intentId: null,
      networkFeeLamports: 5_000n,
      platformFeeLamports: 7n,
      rentLamports: -2_039_280n,
    });
    const buy = (slot: number, units = 10n): RecordedEvent => ({
      ...facts(slot),
      kind: 'buy',
      units,
      flowLamports: -100n,
    });
    return { user, wallet, mint, facts, buy };
  }

  describe('position events', () => {
    it('come back as they were, whatever their kind', async () => {
      const { wallet, user, facts } = await holder();
      const intent = await storedIntent(db, { userId: user.id, walletId: wallet.id });
      const most = 2n ** 64n - 1n;
      const events: RecordedEvent[] = [
        { ...facts(1), kind: 'buy', units: most, flowLamports: -(2n ** 62n), intentId: intent.id },
        { ...facts(2), kind: 'sell', units: 3n, flowLamports: 9n },
        { ...facts(3), kind: 'failed', feeLamports: 5_000n },
        { ...facts(4), kind: 'received', units: 4n, valueLamports: 8n, revision: 0 },
        { ...facts(5), kind: 'creation', units: 4n, costLamports: 8n },
        { ...facts(6), kind: 'adjustment', units: -most },
        ...(['own-out', 'own-in', 'airdrop', 'withdrawn', 'taken', 'remainder'] as const).map(
          (kind, index): RecordedEvent => ({ ...facts(7 + index), kind, units: 2n }),
        ),
      ];
      expect(await db.positions.record(events)).toEqual(events);
      expect(await db.positions.page([wallet.id], { after: null, limit: 99 })).toEqual(
        events.toSorted((a, b) => Number(a.slot - b.slot)),
      );
    });

    it('are recorded once, however often they are told', async () => {
      const { wallet, buy } = await holder();
      const told = await Promise.all([1, 2, 3].map(() => db.positions.record([buy(1), buy(2)])));
      expect(
        told
          .flat()
          .map(({ slot }) => Number(slot))
          .toSorted((a, b) => a - b),
      ).toEqual([1, 2]);
      expect(await db.positions.record([{ ...buy(1), units: 99n } as RecordedEvent])).toEqual([]);
      expect(await db.positions.events([wallet.id])).toHaveLength(2);
      expect(await db.positions.record([buy(1), buy(3), buy(3)])).toEqual([buy(3)]);
      expect(await db.positions.record([])).toEqual([]);
    });

    it('are found by wallet and mint, and not by others’', async () => {
      const [mine, other] = [await holder(), await holder()];
      await db.positions.record([mine.buy(1), other.buy(1)]);
      expect(await db.positions.events([mine.wallet.id])).toEqual([mine.buy(1)]);
      expect(await db.positions.events([mine.wallet.id], [other.mint])).toEqual([]);
      expect(await db.positions.events([mine.wallet.id, other.wallet.id], [other.mint])).toEqual([
        other.buy(1),
      ]);
      const { signature } = mine.buy(1);
      expect([...(await db.positions.knownSignatures(mine.wallet.id, mine.mint, [signature, 'x']))]).toEqual([
        signature,
      ]);
      expect((await db.positions.knownSignatures(other.wallet.id, mine.mint, [signature])).size).toBe(0);
    });

    it('are found among the others where they are adjustments', async () => {
      const [mine, other] = [await holder(), await holder()];
      const adjustment = ({ facts }: typeof mine): RecordedEvent => ({
        ...facts(2),
        kind: 'adjustment',
        units: -5n,
      });
      await db.positions.record([mine.buy(1), adjustment(mine), adjustment(other)]);
      expect(await db.positions.adjustments([mine.wallet.id], [mine.mint])).toEqual([adjustment(mine)]);
      expect(await db.positions.adjustments([mine.wallet.id], [other.mint])).toEqual([]);
    });

    it('are read page by page without a gap or a repeat', async () => {
      const { wallet, buy, facts } = await holder();
      const events = [5, 1, 3, 2, 4].map((slot) => buy(slot));
      const twin: RecordedEvent = { ...facts(3), kind: 'remainder', units: 1n };
      await db.positions.record([...events, twin]);
      const seen: RecordedEvent[] = [];
      for (let after: RecordedEvent | null = null; ; ) {
        const page: readonly RecordedEvent[] = await db.positions.page([wallet.id], { after, limit: 2 });
        if (page.length === 0) break;
        seen.push(...page);
        after = page.at(-1) ?? null;
      }
      expect(seen.map(({ slot, kind }) => `${slot} ${kind}`)).toEqual([
        '1 buy',
        '2 buy',
        '3 buy',
        '3 remainder',
        '4 buy',
        '5 buy',
      ]);
    });

    it('need their wallet', async () => {
      const { buy } = await holder();
      await expect(db.positions.record([{ ...buy(1), walletId: 'nobody' }])).rejects.toThrow();
    });
  });

  describe('pending events', () => {
    /** Two attempts of one intent, and what the first one did. */
    async function attempted() {
      const one = await holder();
      const intent = await storedIntent(db, { userId: one.user.id, walletId: one.wallet.id });
      const attempt = attemptRow(intent);
      await db.intents.insertAttempt(attempt);
      const event = (slot: number): RecordedEvent => ({
        ...one.buy(slot),
        final: false,
        intentId: intent.id,
      });
      return { ...one, attempt, event };
    }

    it('are kept beside the record until their attempt ends, once', async () => {
      const [mine, other] = [await attempted(), await attempted()];
      const ids = [mine.wallet.id];
      await db.positions.addPending(mine.attempt.id, [mine.event(1), mine.event(2)]);
      await db.positions.addPending(mine.attempt.id, [mine.event(1)]);
      await db.positions.addPending(other.attempt.id, [other.event(1)]);
      await db.positions.addPending(mine.attempt.id, []);
      const known = await db.positions.pending(ids);
      expect(known.toSorted((a, b) => Number(a.slot - b.slot))).toEqual([mine.event(1), mine.event(2)]);
      expect(await db.positions.pending(ids, [mine.mint])).toHaveLength(2);
      expect(await db.positions.pending(ids, [other.mint])).toEqual([]);
      expect([await db.positions.events(ids), await db.positions.list(ids)]).toEqual([[], []]);
      await db.positions.dropPending(mine.attempt.id);
      expect(await db.positions.pending(ids)).toEqual([]);
      expect(await db.positions.pending([other.wallet.id])).toEqual([other.event(1)]);
    });

    it('name, with the record, the mints that a wallet holds by the books', async () => {
      const [pending, other] = [await attempted(), await attempted()];
      const booked = (wallet: { readonly address: Address }) => db.positions.bookedMints(wallet.address);
      expect(await booked(pending.wallet)).toEqual([]);
      await db.positions.addPending(pending.attempt.id, [pending.event(1)]);
      const [held, sold, unfolded] = [newAddress(), newAddress(), newAddress()];
      const of = (mint: Address, slot: number): RecordedEvent => ({ ...pending.buy(slot), mint });
      await db.positions.record([of(held, 2), of(sold, 3), of(unfolded, 4)]);
      const { buy, wallet } = pending;
      const [position] = foldEvents([of(held, 2)]).positions.values();
      if (position === undefined) throw new Error('no position');
      await db.positions.save([position, { ...position, mint: sold, units: 0n }]);
      expect((await booked(wallet)).toSorted()).toEqual([buy(1).mint, held, unfolded].toSorted());
      expect(await booked(other.wallet)).toEqual([]);
      expect(await db.positions.bookedMints(newAddress())).toEqual([]);
    });

    it('are not final, and need their attempt and their intent', async () => {
      const { attempt, event } = await attempted();
      const refused: readonly (readonly [string, RecordedEvent])[] = [
        [attempt.id, { ...event(1), final: true }],
        [attempt.id, { ...event(1), intentId: null }],
        [attempt.id, { ...event(1), walletId: 'nobody' }],
        ['nobody', event(1)],
      ];
      for (const [id, one] of refused) await expect(db.positions.addPending(id, [one])).rejects.toThrow();
    });

    it('go with the transaction that adds them', async () => {
      const { wallet, attempt, event } = await attempted();
      const cut = db.transact(async (stores) => {
        await stores.positions.addPending(attempt.id, [event(1)]);
        throw new Error('cut');
      });
      await expect(cut).rejects.toThrow('cut');
      expect(await db.positions.pending([wallet.id])).toEqual([]);
    });
  });

  describe('positions', () => {
    it('are stale from a new event until they are folded, and an event that is known changes nothing', async () => {
      const { wallet, mint, buy } = await holder();
      const ids = [wallet.id];
      await db.positions.record([buy(1)]);
      expect(await db.positions.list(ids)).toMatchObject([{ mint, stale: true, units: 0n }]);
      expect(await db.transact((stores) => stores.positions.lockStale(ids))).toEqual([mint]);
      const { positions } = foldEvents(await db.positions.events(ids, [mint]));
      await db.positions.save([...positions.values()]);
      const folded = { mint, stale: false, units: 10n, cost: 100n, hidden: false, hiddenByPerson: null };
      expect(await db.positions.list(ids)).toMatchObject([
        { ...folded, upTo: { slot: 1n, signature: buy(1).signature } },
      ]);
      await db.positions.record([buy(1)]);
      expect(await db.positions.list(ids)).toMatchObject([folded]);
      expect(await db.transact((stores) => stores.positions.lockStale(ids))).toEqual([]);
      await db.positions.record([buy(2)]);
      expect(await db.positions.list(ids)).toMatchObject([{ stale: true, units: 10n }]);
    });

    it('keep what the person chose through every fold', async () => {
      const { wallet, mint, buy } = await holder();
      // Chosen before the first trade is final.
      await db.positions.setHidden(wallet.id, mint, true);
      expect(await db.positions.list([wallet.id])).toMatchObject([{ hiddenByPerson: true, stale: false }]);
      await db.positions.record([buy(1)]);
      const { positions } = foldEvents(await db.positions.events([wallet.id]));
      await db.positions.save([...positions.values()]);
      expect(await db.positions.list([wallet.id])).toMatchObject([{ hiddenByPerson: true, hidden: false }]);
    });

    it('are listed with the largest cost first', async () => {
      const { wallet, facts } = await holder();
      const event = (mint: RecordedEvent['mint'], cost: bigint): RecordedEvent => ({
        ...facts(1),
        mint,
        kind: 'buy',
        units: 1n,
        flowLamports: -cost,
      });
      const [small, large] = [newAddress(), newAddress()];
      await db.positions.record([event(small, 9n), event(large, 10n)]);
      await db.positions.save([...foldEvents(await db.positions.events([wallet.id])).positions.values()]);
      expect((await db.positions.list([wallet.id])).map(({ mint }) => mint)).toEqual([large, small]);
    });
  });

  describe('comparing with the chain', () => {
    it('keeps how far an account was read, and a difference for as long as there is one', async () => {
      const { wallet, mint, buy } = await holder();
      const account = newAddress();
      expect(await db.positions.scan(account)).toBeNull();
      const first = { account, walletId: wallet.id, done: null, under: { newest: 'n', before: 'b' } };
      await db.positions.saveScan(first);
      expect(await db.positions.scan(account)).toEqual(first);
      await db.positions.saveScan({ ...first, done: 'n', under: null });
      expect(await db.positions.scan(account)).toEqual({ ...first, done: 'n', under: null });
      await db.positions.saveOdd(wallet.id, mint, { units: -(2n ** 64n), since: NOW });
      expect(await db.positions.list([wallet.id])).toMatchObject([
        { mint, odd: { units: -(2n ** 64n), since: NOW }, units: 0n, stale: false },
      ]);
      const locked = () => db.transact((stores) => stores.positions.lockOdd(wallet.id, mint));
      expect(await locked()).toEqual({ units: -(2n ** 64n), since: NOW });
      await db.positions.record([buy(1)]);
      const { positions } = foldEvents(await db.positions.events([wallet.id]));
      await db.positions.save([...positions.values()]);
      expect(await db.positions.list([wallet.id])).toMatchObject([{ odd: { since: NOW }, units: 10n }]);
      await db.positions.saveOdd(wallet.id, mint, null);
      expect(await db.positions.list([wallet.id])).toMatchObject([{ odd: null, units: 10n }]);
      expect(await locked()).toBeNull();
      expect(await db.transact((stores) => stores.positions.lockOdd(wallet.id, newAddress()))).toBeNull();
    });

    it('knows the intent of a signature, and whether it is open', async () => {
      const { user, wallet } = await holder();
      const intent = await storedIntent(db, { userId: user.id, walletId: wallet.id });
      const attempt = attemptRow(intent);
      await db.intents.insertAttempt(attempt);
      const { signature } = attempt;
      expect(await db.positions.intentOf(signature)).toEqual({ intentId: intent.id, open: true });
      await db.intents.update(intent.id, { statuses: ['CREATED'] }, { status: 'FAILED', updatedAt: NOW });
      expect(await db.positions.intentOf(signature)).toEqual({ intentId: intent.id, open: false });
      expect(await db.positions.intentOf('nobody')).toBeNull();
    });

    it('comes up for wallets that were asked for and not compared lately, oldest first', async () => {
      const [old, older, fresh, unasked] = [await holder(), await holder(), await holder(), await holder()];
      const mine = [old, older, fresh, unasked].map(({ wallet }) => wallet.id);
      expect(await db.positions.checkedAt(old.wallet.id)).toBeNull();
      await db.positions.markChecked(old.wallet.id, NOW - 5_000, true);
      await db.positions.markChecked(older.wallet.id, NOW - 9_000, true);
      await db.positions.markChecked(fresh.wallet.id, NOW, true);
      await db.positions.markChecked(unasked.wallet.id, NOW - 90_000, true);
      await db.positions.markChecked(unasked.wallet.id, NOW - 6_000, false);
      const when = { askedSince: NOW - 60_000, checkedBefore: NOW - 1_000, limit: 1_000 };
      const due = (await db.positions.toCheck(when)).filter((id) => mine.includes(id));
      expect(due).toEqual([older.wallet.id, old.wallet.id]);
      expect(await db.positions.checkedAt(unasked.wallet.id)).toBe(NOW - 6_000);
    });

    it('names wallets that hold something and were not valued on a day', async () => {
      const [held, empty] = [await holder(), await holder()];
      await db.positions.record([held.buy(1)]);
      const day = dayStart(NOW);
      const without = async () =>
        (await db.positions.withoutDay(day, { after: null, limit: 100_000 })).filter((id) =>
          [held.wallet.id, empty.wallet.id].includes(id),
        );
      expect(await without()).toEqual([held.wallet.id]);
      const rest = await db.positions.withoutDay(day, { after: held.wallet.id, limit: 100_000 });
      expect(rest).not.toContain(held.wallet.id);
      const more = await holder();
      await db.positions.record([more.buy(1)]);
      const next = await db.positions.withoutDay(day, { after: held.wallet.id, limit: 100_000 });
      expect(next.includes(more.wallet.id)).toBe(more.wallet.id > held.wallet.id);
      expect(next).toEqual(next.toSorted());
      await db.positions.saveDays([{ walletId: held.wallet.id, day, netValue: 1n }]);
      expect(await without()).toEqual([]);
    });
  });

  describe('the worth of positions at midnight', () => {
    it('stays as it was first seen on a day, through every fold, until the next day', async () => {
      const { wallet, mint, buy } = await holder();
      await db.positions.record([buy(1)]);
      const day = dayStart(NOW);
      const worth = (at: number, lamports: bigint) =>
        new Map([[mint, { day: at, units: 2n ** 64n, lamports }]]);
      const known = async () => (await db.positions.list([wallet.id]))[0]?.midnight;
      expect(await known()).toBeNull();
      await db.positions.saveMidnight(wallet.id, new Map([...worth(day, 5n), ...worth(day, 5n)]));
      await db.positions.saveMidnight(wallet.id, worth(day, 6n));
      const { positions } = foldEvents(await db.positions.events([wallet.id]));
      await db.positions.save([...positions.values()]);
      expect(await known()).toEqual({ day, units: 2n ** 64n, lamports: 5n });
      await db.positions.saveMidnight(wallet.id, worth(day + DAY_MS, 0n));
      expect(await known()).toEqual({ day: day + DAY_MS, units: 2n ** 64n, lamports: 0n });
      await db.positions.saveMidnight(wallet.id, new Map());
    });
  });

  describe('days of wallets', () => {
    it('are kept as they were first seen, oldest first', async () => {
      const { wallet } = await holder();
      const today = dayStart(NOW);
      const row = (day: number, netValue: bigint) => ({ walletId: wallet.id, day, netValue });
      await db.positions.saveDays([row(today, 5n), row(today - DAY_MS, 2n ** 60n)]);
      await db.positions.saveDays([row(today, 6n), row(today - 2 * DAY_MS, 1n)]);
      expect(await db.positions.days([wallet.id], today - DAY_MS)).toEqual([
        row(today - DAY_MS, 2n ** 60n),
        row(today, 5n),
      ]);
      await db.positions.saveDays([]);
    });
  });
}
