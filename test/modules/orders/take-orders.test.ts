import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createNews } from '../../../src/engine/watch/use/news.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';
import type { OrderStore } from '../../../src/modules/orders/store/order-store-port.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { createOrderWatch, type OrderWatchDeps } from '../../../src/modules/orders/use/watch-orders.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';

const START = 1_700_000_000_000;
const LEASE_MS = 5_000;
const AGAIN_MS = 4_000;

/** Sells all of a position: what it would give is read from a node. */
const STOP: OrderDraft = {
  side: 'sell',
  type: 'STOP_LOSS',
  amount: { kind: 'rest' },
  unit: 'SOL',
  trigger: { got: 70n, given: 100n },
  request: '',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};

async function watching() {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const time = { now: START };
  let ids = 0;
  const id = (): string => {
    ids += 1;
    return `order-${String(ids).padStart(4, '0')}`;
  };
  const place = async (count = 1): Promise<readonly Order[]> => {
    const placed: Order[] = [];
    for (let n = 0; n < count; n += 1) {
      const group = newGroup(
        {
          userId,
          walletId: `wallet-${userId}`,
          mint: addressFromBytes(new Uint8Array(32).fill(3).fill(ids % 250, 0, 1)),
          placeKey: id(),
          kind: 'SINGLE',
          units: null,
          drafts: [STOP],
          expiresAt: START + 30 * 86_400_000,
          slippageBps: 100,
          tier: 'normal',
          accepted: [],
          supply: null,
          parentIntentId: null,
        },
        { id, now: time.now, depthLamports: null },
      );
      await db.orders.insert(PASSED, group);
      placed.push(...group.orders);
    }
    return placed;
  };
  const orders: OrderStore = { ...db.orders };
  const wallets = { held: async (): Promise<bigint> => 1_000_000_000n };
  const orderFeed = memoryOrderFeed();
  const news = createNews();
  const watch = createOrderWatch({
    db: { ...db, orders },
    clock: { now: () => time.now },
    ids: { ulid: id },
    ordersChanged: () => undefined,
    orderFeed,
    owner: 'here',
    news,
    log: { info: () => undefined, warn: () => undefined },
    tradeFeeBps: () => bps(100),
    solPrice: async () => null,
    pause: async () => undefined,
    market: { sellable: async () => ({ units: await wallets.held(), elsewhere: 0n }) },
    feed: { watch: () => undefined, onPools: () => undefined, stop: async () => undefined },
  } as unknown as OrderWatchDeps);
  const pass = async (ms: number): Promise<number> => {
    time.now += ms;
    return watch.round();
  };
  return { db, orders, orderFeed, place, wallets, watch, pass, time, news };
}

describe('taking the orders of a process that ended', () => {
  it('takes longer than its lease on a slow node, and nobody else gets them meanwhile', async () => {
    const { orderFeed, place, wallets, watch, pass, time } = await watching();
    await place(250);
    const lost = new Set<number>();
    wallets.held = async () => {
      time.now += 100;
      const { now } = time;
      for (const one of await orderFeed.take({ owner: 'rival', now, until: now + LEASE_MS })) lost.add(one);
      return 1_000_000_000n;
    };
    for (let rounds = 0; rounds < 10 && watch.size() < 250; rounds += 1) await pass(10);
    expect(watch.size()).toBe(250);
    expect([...lost]).toEqual([]);
    await watch.stop();
  });

  it('comes to its end though that takes longer than the time to the next one', async () => {
    const { orders, place, wallets, watch, pass, time } = await watching();
    await place(250);
    Object.assign(orders, { changedSince: async () => [] });
    wallets.held = async () => {
      time.now += 400;
      return 1_000_000_000n;
    };
    for (let rounds = 0; rounds < 6; rounds += 1) await pass(10);
    expect(watch.size()).toBe(250);
    await watch.stop();
  });

  it('follows changes meanwhile', async () => {
    const { orders, place, watch, pass } = await watching();
    await place(250);
    const reads: number[] = [];
    Object.assign(orders, {
      changedSince: async () => {
        reads.push(watch.size());
        return [];
      },
    });
    // The next page is read without a pause.
    expect(await pass(0)).toBe(0);
    expect(await pass(260)).toBe(0);
    expect(await pass(260)).toBeGreaterThan(0);
    expect(watch.size()).toBe(250);
    expect(reads).toEqual([100, 200]);
    await watch.stop();
  });

  it('is tried again soon where the database was away', async () => {
    const { orders, db, place, watch, pass } = await watching();
    await place(3);
    let isAway = true;
    // They were placed long ago: no change tells of them.
    Object.assign(orders, { changedSince: async () => [] });
    for (const name of ['openIdsIn', 'openAmong'] as const)
      Object.assign(orders, {
        [name]: async (asked: never) => {
          if (isAway) throw new AppError('DATABASE_UNREACHABLE', { cause: 'away' });
          return db.orders[name](asked);
        },
      });
    await pass(0);
    isAway = false;
    await pass(AGAIN_MS);
    expect(watch.size()).toBe(3);
    await watch.stop();
  });

  it('forgets what a change told of too late', async () => {
    const { orders, db, place, watch, pass } = await watching();
    const [first] = await place(2);
    await pass(0);
    if (first === undefined) throw new Error('no order');
    const write = { orderId: first.id, expectVersion: 1, expectStatus: 'OPEN' } as const;
    const paused = { ...first, version: 2, status: 'PAUSED' } as const;
    const group = await db.orders.find(first.id);
    if (group === null) throw new Error('no group');
    await db.orders.write(PASSED, group, [{ ...write, order: paused }]);
    Object.assign(orders, { changedSince: async () => [] });
    await pass(31_000);
    expect(watch.size()).toBe(1);
    await watch.stop();
  });

  it('reads a holding again soon where the node was away', async () => {
    const { place, wallets, watch, pass } = await watching();
    await place(3);
    const held = wallets.held;
    wallets.held = async () => {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'one', cause: 'away' });
    };
    await pass(0);
    expect(watch.size()).toBe(0);
    await pass(AGAIN_MS);
    wallets.held = held;
    await pass(AGAIN_MS);
    expect(watch.size()).toBe(3);
    await watch.stop();
  });
});

describe('a process without an open order', () => {
  it('watches what is placed while it looks whether there is one', async () => {
    const { db, orders, place, watch, pass, news } = await watching();
    Object.assign(orders, {
      pulse: async (now: number) => {
        const seen = await db.orders.pulse(now);
        if (watch.size() === 0 && !seen.isAwake) {
          await place();
          news.changed();
        }
        return seen;
      },
    });
    await pass(0);
    // Whoever placed it has woken the loop, which comes again at once.
    await pass(1);
    expect(watch.size()).toBe(1);
    await watch.stop();
  });
});
