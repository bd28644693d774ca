import { beforeAll, describe, expect, it } from 'vitest';
import { firstUlid } from '../../src/core/time/ulid.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { reduceOrders } from '../../src/modules/orders/rules/machine.ts';
import { NO_PROGRESS, type Order, type OrderGroup } from '../../src/modules/orders/rules/order.ts';
import type { OrderEvent } from '../../src/modules/orders/rules/transition.ts';
import { type ChangedOrder, ORDER_SHARDS, shardOf } from '../../src/modules/orders/store/order-store-port.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { intentRow, NOW, newAddress, newId, storedPerson } from './store-rows.ts';

/** An order of a group, as placing makes it. */
export function orderRow(
  group: Pick<OrderGroup, 'id' | 'userId' | 'walletId' | 'mint'>,
  more: Partial<Order> = {},
): Order {
  return {
    id: newId(),
    groupId: group.id,
    userId: group.userId,
    number: 0,
    walletId: group.walletId,
    mint: group.mint,
    side: 'sell',
    type: 'TAKE_PROFIT',
    status: 'OPEN',
    reason: null,
    version: 1,
    amount: { kind: 'share', bps: 5_000 },
    filled: 0n,
    received: 0n,
    unit: 'USD',
    trigger: { got: 10n ** 50n, given: 3n },
    holdMs: 0,
    partial: false,
    fires: 0,
    burntLamports: 0n,
    certificate: 'given',
    notBeforeSlot: null,
    afterwards: null,
    terms: {
      request: '+100%',
      toleranceBps: 0,
      slippageBps: 500,
      tier: 'normal',
      floor: { got: 10n ** 40n, given: 7n },
      trailing: { bps: 1_500, activation: { got: 1n, given: 2n } },
      schedule: {
        startAt: NOW,
        intervalMs: 60_000,
        rounds: 3,
        band: { least: null, most: { got: 1n, given: 1n } },
      },
      sellsOnExpiry: true,
      accepted: ['MINT_AUTHORITY_LIVE'],
      supply: 10n,
      depthLamports: 5n,
    },
    progress: { ...NO_PROGRESS, told: { funds: NOW }, failures: [{ at: NOW, feeLamports: 5_000n }] },
    expiresAt: NOW + 1_000,
    createdAt: NOW,
    ...more,
  };
}

/** The rules of the store of orders. */
export function describeOrderStores(open: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = open();
  });

  async function placed(
    more: Partial<OrderGroup> = {},
    orders: readonly Partial<Order>[] = [{}],
  ): Promise<OrderGroup> {
    const { user, wallet } = await storedPerson(db);
    const group: OrderGroup = {
      id: newId(),
      userId: user.id,
      walletId: wallet.id,
      mint: newAddress(),
      placeKey: newId(),
      parentIntentId: null,
      createdAt: NOW,
      kind: 'OCO',
      units: 1_000n,
      sold: 0n,
      orders: [],
      liveFires: [],
      ...more,
    };
    const inserted = await db.orders.insert(PASSED, {
      ...group,
      orders: orders.map((one) => orderRow(group, one)),
    });
    if (inserted === null) throw new Error('not inserted');
    return inserted;
  }

  async function carryOut(group: OrderGroup, event: OrderEvent): Promise<boolean> {
    const transition = reduceOrders(group, event);
    return db.transact(async ({ orders }) => {
      if (!(await orders.write(PASSED, transition.group, transition.writes))) return false;
      for (const effect of transition.effects) {
        if (effect.kind === 'create-intent') await orders.addFire(effect.fire);
        if (effect.kind === 'end-fire') await orders.endFire(effect.orderId, effect.n, effect.end);
      }
      return true;
    });
  }
  const again = async (group: OrderGroup): Promise<OrderGroup> => {
    const found = await db.orders.find(group.orders[0]?.id ?? '');
    if (found === null) throw new Error('gone');
    return found;
  };
  const fired = (group: OrderGroup, index: number, units: bigint, intentId = newId()): OrderEvent => ({
    kind: 'fired',
    orderId: group.orders[index]?.id ?? '',
    intentId,
    units,
    slot: 10n,
    held: 10_000n,
    quoted: 77n,
    at: NOW,
  });

  it('keeps the state that an event is measured from', async () => {
    const terms = {
      ...orderRow({ id: '', userId: '', walletId: '', mint: newAddress() }).terms,
      schedule: null,
    };
    const dev = {
      kind: 'dev-sells',
      creator: newAddress(),
      held: 5n,
      supply: 10n ** 18n,
      sinceSlot: 7n,
    } as const;
    const falls = { kind: 'liquidity-falls', fallBps: 5_000, liquidity: 10n ** 25n, onCurve: true } as const;
    const group = await placed({}, [
      { type: 'DEV_SELLS', trigger: null, terms: { ...terms, event: dev } },
      { type: 'LIQUIDITY_FALLS', trigger: null, terms: { ...terms, event: falls } },
    ]);
    expect((await again(group)).orders.map((order) => order.terms.event)).toEqual([dev, falls]);
  });

  describe('the group of a position', () => {
    const position = (more: Partial<OrderGroup> = {}) => placed({ units: null, ...more });

    it('is the only open one of its wallet and token, until its last order is closed', async () => {
      const group = await position();
      const { userId, walletId, mint } = group;
      const again = () => {
        const id = newId();
        const other = { ...group, id, placeKey: newId() };
        return db.orders.insert(PASSED, { ...other, orders: [orderRow(other)] });
      };
      await expect(again()).rejects.toThrow();
      // Of another token, and of units of its own.
      await db.orders.insert(PASSED, {
        ...group,
        id: newId(),
        placeKey: newId(),
        mint: newAddress(),
        orders: [],
      });
      await db.orders.insert(PASSED, { ...group, id: newId(), placeKey: newId(), units: 5n, orders: [] });
      const [order] = group.orders;
      await carryOut(group, { kind: 'cancelled', orderId: order?.id ?? '', reason: 'person' });
      const next = await again();
      expect(next).toMatchObject({ userId, walletId, mint });
    });

    it('takes orders that join it, once for each key, with the next numbers', async () => {
      const group = await position();
      const joining = { placeKey: newId(), orders: [orderRow(group), orderRow(group)] };
      const joined = await db.orders.join(PASSED, group, joining);
      expect(joined?.orders.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(await db.orders.find(joining.orders[1]?.id ?? '')).toEqual(joined);
      expect(await db.orders.findByPlaceKey(joining.placeKey)).toEqual(joined);
      expect(await db.orders.findByPlaceKey(group.placeKey)).toEqual(joined);
      expect(await db.orders.join(PASSED, group, { ...joining, orders: [orderRow(group)] })).toBeNull();
      const known = { placeKey: group.placeKey, orders: [orderRow(group)] };
      expect(await db.orders.join(PASSED, group, known)).toBeNull();
      expect((await db.orders.find(group.orders[0]?.id ?? ''))?.orders).toHaveLength(3);
    });

    it('is found with the legs of purchases among what sells a holding', async () => {
      const group = await position();
      const { walletId, mint } = group;
      const beside = async (more: Partial<OrderGroup>) => {
        const other = { ...group, id: newId(), placeKey: newId(), createdAt: NOW + 1, ...more };
        await db.orders.insert(PASSED, { ...other, orders: [orderRow(other)] });
        return other.id;
      };
      const legs = await beside({ units: 5n, parentIntentId: newId() });
      await beside({ units: 5n });
      await beside({ mint: newAddress() });
      const found = () =>
        db.transact(async ({ orders }) => (await orders.lockExits(walletId, mint)).map(({ id }) => id));
      expect(await found()).toEqual([group.id, legs]);
      await carryOut(group, { kind: 'cancelled', orderId: group.orders[0]?.id ?? '', reason: 'person' });
      expect(await found()).toEqual([legs]);
    });
  });

  describe('orders', () => {
    it('are kept as they were, with the next numbers of their person', async () => {
      const group = await placed({}, [
        {},
        { type: 'STOP_LOSS', amount: { kind: 'rest' }, trigger: null },
        { amount: { kind: 'fixed', units: 2n ** 64n - 1n } },
      ]);
      expect(group.orders.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(await again(group)).toEqual(group);
      expect(await db.orders.findByPlaceKey(group.placeKey)).toEqual(group);
      expect(await db.orders.find(newId())).toBeNull();
      expect(await db.orders.countOpen(group.userId, group.mint)).toEqual({ onToken: 3, ofPerson: 3 });
      expect(await db.orders.countOpen(group.userId, newAddress())).toEqual({ onToken: 0, ofPerson: 3 });
      expect(await db.orders.countOpenByWallet(group.walletId)).toBe(3);
    });

    it('are placed once per key', async () => {
      const group = await placed();
      expect(await db.orders.insert(PASSED, { ...group, id: newId(), orders: [] })).toBeNull();
      expect(await db.orders.listOpen(group.userId)).toEqual([group]);
    });

    it('are written where they are as they were read, all of them or none', async () => {
      const group = await placed({}, [{}, {}]);
      const pause: OrderEvent = { kind: 'paused', orderId: group.orders[0]?.id ?? '', reason: 'person' };
      expect(await carryOut(group, pause)).toBe(true);
      expect(await carryOut(group, pause)).toBe(false);
      const both = group.orders.map((order) => ({
        orderId: order.id,
        expectVersion: 1,
        expectStatus: 'OPEN' as const,
        order: { ...order, status: 'EXPIRED' as const, version: 2 },
      }));
      expect(await db.orders.write(PASSED, group, both)).toBe(false);
      expect((await again(group)).orders.map(({ status }) => status)).toEqual(['PAUSED', 'OPEN']);
    });

    it('fire once, and their units are bound until the fire has ended', async () => {
      const group = await placed({}, [{ amount: { kind: 'rest' } }, { amount: { kind: 'rest' } }]);
      const intentId = newId();
      const fire = fired(group, 0, 800n, intentId);
      expect(await carryOut(group, fire)).toBe(true);
      expect(await carryOut(group, fire)).toBe(false);
      const live = await again(group);
      expect(live.liveFires).toEqual([{ orderId: group.orders[0]?.id, n: 1, intentId, units: 800n }]);
      expect((await db.transact(({ orders }) => orders.lockByFire(intentId)))?.id).toBe(group.id);
      const order = group.orders[1];
      // What a process with an old memory would write.
      const second = {
        orderId: order?.id ?? '',
        n: 1,
        intentId: newId(),
        units: 201n,
        groupId: group.id,
        slot: 1n,
        quoted: 1n,
        eventSeen: 12_345_678_901_234_567_890_123n,
        firedAt: NOW,
        end: null,
      };
      await expect(db.orders.addFire(second)).rejects.toThrow();
      await expect(db.orders.addFire({ ...second, units: 1n, intentId })).rejects.toThrow();
      await db.orders.addFire({ ...second, units: 200n });
      const end = {
        at: NOW + 5,
        result: 'settled' as const,
        given: 200n,
        got: 9n,
        burntLamports: 3n,
        reason: null,
      };
      await db.orders.endFire(second.orderId, 1, end);
      expect(await db.orders.fires(second.orderId, 5)).toEqual([{ ...second, units: 200n, end }]);
      await db.orders.endFire(second.orderId, 1, { ...end, result: 'voided' });
      expect((await db.orders.fires(second.orderId, 5))[0]?.end).toEqual(end);
    });

    it('have one live fire at a time', async () => {
      const group = await placed();
      const fire = {
        orderId: group.orders[0]?.id ?? '',
        n: 1,
        intentId: newId(),
        units: 1n,
        groupId: group.id,
        slot: 1n,
        quoted: 1n,
        firedAt: NOW,
        end: null,
      };
      await db.orders.addFire(fire);
      await expect(db.orders.addFire({ ...fire, n: 2, intentId: newId() })).rejects.toThrow();
    });

    it('pause together, and those whose fire is live do so afterwards', async () => {
      const group = await placed({}, [{}, {}, { status: 'WAITING' }]);
      await carryOut(group, fired(group, 0, 100n));
      expect(await db.orders.pauseAll(group.userId, 'panic', NOW)).toBe(2);
      expect((await again(group)).orders).toMatchObject([
        { status: 'TRIGGERED', afterwards: { status: 'PAUSED', reason: 'panic' }, version: 3 },
        { status: 'PAUSED', reason: 'panic', version: 2 },
        { status: 'WAITING', version: 1 },
      ]);
    });

    it('pause as locked where a PIN granted them something, and no others', async () => {
      const grants = { steep: true, doubts: ['young', 'poor-exit'] as const, lockEpoch: 4, until: NOW + 9 };
      const group = await placed({}, [{}, {}, {}, {}, { status: 'WAITING' }]);
      // As the rows of a former version, with nothing that was needed, and three that were granted something.
      const given = [undefined, null, grants, grants, grants];
      const writes = group.orders.map((order, index) => ({
        orderId: order.id,
        expectVersion: order.version,
        expectStatus: order.status,
        order: {
          ...order,
          terms: given[index] === undefined ? order.terms : { ...order.terms, grants: given[index] ?? null },
        },
      }));
      expect(await db.orders.write(PASSED, group, writes)).toBe(true);
      const stored = await again(group);
      expect(stored.orders.map(({ terms }) => terms.grants)).toEqual(given);
      await carryOut(stored, fired(stored, 3, 100n));
      const over = async (now: number) =>
        (await db.orders.grantsOver(now)).filter((id) => stored.orders.some((order) => order.id === id));
      expect(await over(NOW + 8)).toEqual([]);
      expect(await over(NOW + 9)).toEqual([stored.orders[2]?.id]);
      expect(await db.orders.hasGranted('another person')).toBe(false);
      expect(await db.orders.hasGranted(group.userId)).toBe(true);
      expect(await db.orders.pauseGranted('another person')).toBe(0);
      expect(await db.orders.pauseGranted(group.userId)).toBe(2);
      expect(await db.orders.hasGranted(group.userId)).toBe(false);
      expect(
        (await again(group)).orders.map(({ status, reason, afterwards }) => [status, reason, afterwards]),
      ).toEqual([
        ['OPEN', null, null],
        ['OPEN', null, null],
        ['PAUSED', 'locked', null],
        ['TRIGGERED', null, { status: 'PAUSED', reason: 'locked' }],
        ['WAITING', null, null],
      ]);
    });

    it('count what they spent of late, and what they may still spend', async () => {
      const group = await placed({ units: null }, [{ side: 'buy' }, { side: 'buy' }, {}]);
      for (const index of [0, 1, 2]) await carryOut(await again(group), fired(group, index, 300n));
      await db.orders.endFire(group.orders[1]?.id ?? '', 1, {
        at: NOW,
        result: 'settled',
        given: 120n,
        got: 1n,
        burntLamports: 0n,
        reason: null,
      });
      expect(await db.orders.spentSince(group.userId, NOW - 1)).toBe(420n);
      expect(await db.orders.spentSince(group.userId, NOW)).toBe(0n);
      // What was bought by pasting a token counts too, unless nothing came of it.
      const { user, wallet } = await storedPerson(db);
      const bought = (idemKey: string, more: Partial<Intent> = {}): Intent => {
        const intent = intentRow(wallet, {
          kind: 'buy',
          id: firstUlid(NOW).slice(0, 10) + newId().slice(10),
          idemKey,
          ...more,
        });
        if (intent.params.kind !== 'buy') throw new Error('a purchase');
        return { ...intent, params: { ...intent.params, lamportsIn: 7n } };
      };
      await db.intents.insert(bought(`auto-${newId()}`));
      await db.intents.insert(bought(`auto-${newId()}`, { status: 'CANCELLED' }));
      await db.intents.insert(bought(`msg-${newId()}`));
      expect(await db.orders.spentSince(user.id, NOW - 1)).toBe(7n);
      expect(await db.orders.spentSince(user.id, NOW)).toBe(0n);
    });

    it('that end within a day are found until their person was told, and none that was placed for a day', async () => {
      const ends = NOW + 20 * 3_600_000;
      const group = await placed({}, [
        { expiresAt: ends, createdAt: NOW - 86_400_000 },
        { expiresAt: ends, createdAt: NOW },
        { status: 'PAUSED', expiresAt: ends, createdAt: NOW - 86_400_000 },
        { expiresAt: NOW + 86_400_001, createdAt: NOW - 86_400_000 },
      ]);
      const ids = group.orders.map(({ id }) => id);
      const ending = async () => (await db.orders.endingSoon(NOW)).filter((id) => ids.includes(id));
      expect(new Set(await ending())).toEqual(new Set([ids[0], ids[2]]));
      const [first] = group.orders;
      if (first === undefined) throw new Error('no order');
      const progress = { ...first.progress, told: { ending: NOW } };
      await carryOut(group, { kind: 'told', orderId: first.id, progress });
      expect(await ending()).toEqual([ids[2]]);
    });

    it('are found by their shard, by their changes and by their end', async () => {
      const group = await placed({}, [{}, { status: 'PAUSED', expiresAt: NOW + 5 }]);
      const openIn = async (shard: number) => {
        const ids = await db.orders.openIdsIn([shard]);
        const mine = group.orders.map(({ id }) => id);
        return db.orders.openAmong(ids.filter((id) => mine.includes(id)));
      };
      const open = () => openIn(shardOf(group.mint));
      const [first] = await open();
      expect(first?.order).toEqual(group.orders[0]);
      expect(first?.group).toEqual(group);
      expect(await openIn((shardOf(group.mint) + 1) % ORDER_SHARDS)).toEqual([]);
      // Only what is open is taken, whoever asks for more.
      expect(await db.orders.openAmong(group.orders.map(({ id }) => id))).toEqual([first]);
      expect((await db.orders.pulse(NOW)).isAwake).toBe(true);
      expect((await db.orders.pulse(NOW + 4)).expired).not.toContain(group.orders[1]?.id);
      expect((await db.orders.pulse(NOW + 5)).expired).toContain(group.orders[1]?.id);
      await carryOut(group, { kind: 'cancelled', orderId: group.orders[0]?.id ?? '', reason: 'person' });
      expect(await open()).toEqual([]);
      const later = (
        await db.orders.changedSince({ seq: first?.seq ?? 0n, id: first?.order.id ?? '' }, 1_000)
      ).filter(({ group: { id } }) => id === group.id);
      expect(later.map(({ order }) => order.status)).toContain('CANCELLED');
    });

    it('are found page by page, as they changed', async () => {
      const since = await db.orders.newestSeq();
      const group = await placed({}, [{}, {}, {}, {}, {}]);
      // In one statement they change at the same time, or nearly.
      await db.orders.pauseAll(group.userId, 'person', NOW);
      const found: ChangedOrder[] = [];
      for (let place = { seq: since, id: '￿' }; ; ) {
        const page = await db.orders.changedSince(place, 2);
        found.push(...page.filter(({ order }) => order.userId === group.userId));
        const last = page.at(-1);
        if (last === undefined) break;
        place = { seq: last.seq, id: last.order.id };
      }
      expect(found.map(({ order }) => order.id).toSorted()).toEqual(
        group.orders.map(({ id }) => id).toSorted(),
      );
      expect(await db.orders.newestSeq()).toBe(found.at(-1)?.seq);
    });

    it('are history when none of a group is open', async () => {
      const group = await placed();
      expect(await db.orders.listClosed(group.userId, 5)).toEqual([]);
      await carryOut(group, { kind: 'cancelled', orderId: group.orders[0]?.id ?? '', reason: 'person' });
      expect((await db.orders.listClosed(group.userId, 5)).map(({ id }) => id)).toEqual([group.id]);
      expect(await db.orders.listOpen(group.userId)).toEqual([]);
    });

    it('wait for the buy that gives them their units', async () => {
      const parentIntentId = newId();
      const group = await placed({ parentIntentId, units: 0n }, [{ status: 'WAITING' }]);
      expect(
        (await db.transact(({ orders }) => orders.lockByParent(parentIntentId))).map(({ id }) => id),
      ).toEqual([group.id]);
    });
  });
}
