import { WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createNews } from '../../../src/engine/watch/use/news.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';
import { decodeOrderNotice } from '../../../src/modules/orders/rules/order-notice.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { createOrderWatch, type OrderWatchDeps } from '../../../src/modules/orders/use/watch-orders.ts';
import type { PoolsOfToken } from '../../../src/platform/ports/pool-feed.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { NO_EVENTS } from '../../support/no-events.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const SLOT_MS = 400;
const HOUR_MS = 3_600_000;
const HOLD = 6;
const UNITS = 1_000_000_000n;
const DEPTH = 1_000_000_000_000n;
const START = 1_700_000_000_000;
const PUSHED_FROM = 12;

const SALE: OrderDraft = {
  side: 'sell',
  type: 'STOP_LOSS',
  amount: { kind: 'fixed', units: UNITS },
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

/** A stop and a trailing stop in the real watcher, over two pools; whoever it wants to fire is written down and stays open. */
async function watching({ lasts = 86_400_000 } = {}) {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  let ids = 0;
  let now = START;
  const id = (): string => {
    ids += 1;
    return `order-${ids}`;
  };
  const place = async (draft: OrderDraft, of = userId): Promise<string> => {
    const group = newGroup(
      {
        userId: of,
        walletId: `wallet-${of}`,
        mint: TOKEN,
        placeKey: id(),
        kind: 'SINGLE',
        units: UNITS,
        drafts: [draft],
        expiresAt: now + lasts,
        slippageBps: 100,
        tier: 'normal',
        accepted: [],
        supply: null,
        parentIntentId: null,
      },
      { id, now, depthLamports: null },
    );
    await db.orders.insert(PASSED, group);
    return group.orders[0]?.id ?? '';
  };
  const stop = await place(SALE);
  const trail = await place({
    ...SALE,
    type: 'TRAILING_STOP',
    trigger: null,
    trailing: { bps: 3_000, activation: null },
  });

  const fired = new Set<string>();
  const find = async (orderId: string) => {
    fired.add(orderId);
    return null;
  };
  const orderFeed = memoryOrderFeed();
  /** What the creator of every token gave away. */
  const gift = { units: 0n, seenAt: 0 };
  let tell: (told: PoolsOfToken) => void = () => undefined;
  const watch = createOrderWatch({
    db: { ...db, orders: { ...db.orders, find } },
    clock: { now: () => now },
    ids: { ulid: id },
    ordersChanged: () => undefined,
    orderFeed,
    events: {
      ...NO_EVENTS,
      transfers: async (_mint: string, orders: readonly Order[]) =>
        gift.units === 0n ? [] : orders.map((order) => ({ order, ...gift })),
    },
    owner: 'here',
    news: createNews(),
    log: { info: () => undefined, warn: () => undefined },
    tradeFeeBps: () => bps(100),
    solPrice: async () => null,
    pause: async () => undefined,
    feed: {
      watch: () => undefined,
      onPools: (listener: typeof tell) => {
        tell = listener;
      },
      stop: async () => undefined,
    },
    // What a fire needs beyond this is never reached: `find` says that the order is gone.
  } as unknown as OrderWatchDeps);
  await watch.round();
  expect(watch.size()).toBe(2);

  let backMs = 0;
  const back = (ms: number): void => {
    backMs += ms;
    now -= ms;
  };
  /** One slot passes, with so much SOL in each pool. */
  const slot = async (n: number, sol: readonly bigint[]): Promise<void> => {
    now = START + n * SLOT_MS - backMs;
    await watch.round();
    const at = BigInt(n);
    const pools = sol.map((one, index) =>
      buildPool({ id: index + 1, mints: [TOKEN, WSOL_MINT], token: DEPTH, sol: one, slot: at }),
    );
    tell({ mint: TOKEN, pools, slot: at, at: now, how: 'followed' });
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** The highest high that was kept, in hundredths of the price at the start. */
  const high = async (): Promise<number> => {
    const peaks = await orderFeed.peaks([TOKEN]);
    return Math.max(...peaks.map(({ rate }) => Number((rate.got * 100n) / rate.given)));
  };
  const told = async (): Promise<readonly string[]> => {
    const ids = await db.notices.undelivered(START + 1e12, 1_000);
    const notices = await Promise.all(ids.map((one) => db.notices.find(one)));
    return notices.map((notice) => decodeOrderNotice(notice?.payload).event);
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await watch.round();
  };
  const saw = (units: bigint): void => void Object.assign(gift, { units, seenAt: now });
  const notices = async () => {
    const ids = await db.notices.undelivered(START + 1e12, 1_000);
    return Promise.all(ids.map(async (one) => decodeOrderNotice((await db.notices.find(one))?.payload)));
  };
  return { stop, trail, fired, slot, high, watch, told, notices, pass, place, saw, back, db };
}

describe('somebody with ten times the depth', () => {
  const cases = [1, 2, HOLD - 1, HOLD].flatMap((slots) =>
    (['one pool', 'all pools'] as const).flatMap((where) =>
      (['down', 'up'] as const).map((way) => ({ slots, where, way })),
    ),
  );

  it.each(cases)('pushes $where $way for $slots slots of 6', async ({ slots, where, way }) => {
    const { stop, trail, fired, slot, high, watch } = await watching();
    for (let n = 1; n <= 40; n += 1) {
      const isPushed = n >= PUSHED_FROM && n < PUSHED_FROM + slots;
      const pushed = way === 'up' ? DEPTH * 10n : DEPTH / 10n;
      await slot(n, [isPushed ? pushed : DEPTH, isPushed && where === 'all pools' ? pushed : DEPTH]);
    }
    await watch.stop();
    const isHeld = slots >= HOLD;
    // One pool pushed down lowers nothing; pushed up it is the better price, whose end is a fall.
    const falls = isHeld && where === 'all pools' && way === 'down';
    const rises = isHeld && way === 'up';
    expect([...fired].toSorted()).toEqual(
      [...(falls ? [stop] : []), ...(falls || rises ? [trail] : [])].toSorted(),
    );
    expect((await high()) > 150).toBe(rises);
  });
});

describe('orders of another process', () => {
  it('are watched at the next look at changes, however many there are', async () => {
    const { place, pass, watch } = await watching();
    for (let n = 0; n < 1_200; n += 1) await place(SALE);
    await pass(300);
    await pass(300);
    expect(watch.size()).toBe(1_202);
    await watch.stop();
  });
});

describe('a clock that is set back by an hour', () => {
  it('holds up neither what is placed then nor a price that is held then', async () => {
    const { place, pass, slot, watch, stop, fired, back } = await watching();
    for (let n = 1; n <= 20; n += 1) await slot(n, [DEPTH, DEPTH]);
    back(HOUR_MS);
    await place(SALE);
    await pass(300);
    await pass(300);
    expect(watch.size()).toBe(3);
    for (let n = 21; n <= 30; n += 1) await slot(n, [DEPTH / 10n, DEPTH / 10n]);
    expect(fired).toContain(stop);
    await watch.stop();
  });
});

describe('orders that only stand', () => {
  it('are told a day before their end, once, over a restart too', async () => {
    const { told, pass, watch } = await watching({ lasts: 3 * 86_400_000 });
    const ending = async () => (await told()).filter((event) => event === 'ending').length;
    await pass(86_400_000);
    expect(await ending()).toBe(0);
    await pass(86_400_000 + 1);
    expect(await ending()).toBe(2);
    await pass(3_600_001);
    expect(await ending()).toBe(2);
    await watch.stop();
  });

  it('are told together when nothing was seen of their token for five minutes, at most once an hour', async () => {
    const { told, pass, slot, watch } = await watching();
    await slot(1, [DEPTH, DEPTH]);
    await pass(280_000);
    expect(await told()).toEqual([]);
    await pass(61_000);
    expect(await told()).toEqual(['blind']);
    for (let minutes = 1; minutes < 60; minutes += 1) await pass(60_000);
    expect(await told()).toHaveLength(1);
    await pass(60_000);
    expect(await told()).toHaveLength(2);
    await watch.stop();
  });

  it('a token without a way to trade it is as one that cannot be seen', async () => {
    const { told, slot, watch } = await watching();
    for (let n = 1; n <= 6; n += 1) await slot(n * 200, []);
    expect(await told()).toEqual(['blind']);
    await watch.stop();
  });

  it('are told of what a creator gave away, once an hour with all of it, and not again for the same', async () => {
    const { notices, pass, place, saw, watch } = await watching({ lasts: 7 * 24 * HOUR_MS });
    const orderId = await place({ ...SALE, type: 'DEV_SELLS', trigger: null });
    const told = async () => {
      for (let n = 0; n < 3; n += 1) {
        await pass(1_100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const all = await notices();
      return all.flatMap((one) => (one.event === 'dev-moved' ? [[one.orderId, one.code]] : []));
    };
    await pass(31_000);
    expect(await told()).toEqual([]);
    saw(5n);
    expect(await told()).toEqual([[orderId, '5']]);
    saw(9n);
    expect(await told()).toHaveLength(1);
    await pass(HOUR_MS);
    expect(await told()).toEqual([
      [orderId, '5'],
      [orderId, '9'],
    ]);
    await pass(HOUR_MS);
    expect(await told()).toHaveLength(2);
    await watch.stop();
  });

  it('are told by two hundred a minute when a node is away from many people', async () => {
    const { told, pass, place, watch, db } = await watching();
    for (let index = 2; index <= 250; index += 1)
      await place(SALE, await addPerson(db, { index, inviterId: null }));
    for (let n = 0; n < 5; n += 1) await pass(300);
    expect(watch.size()).toBe(251);
    await pass(301_000);
    expect(await told()).toHaveLength(200);
    await pass(60_000);
    expect(await told()).toHaveLength(250);
    await pass(60_000);
    expect(await told()).toHaveLength(250);
    await watch.stop();
  });
});
