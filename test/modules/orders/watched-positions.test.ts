import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createNews } from '../../../src/engine/watch/use/news.ts';
import type { Order, OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { createOrderWatch, type OrderWatchDeps } from '../../../src/modules/orders/use/watch-orders.ts';
import type { PoolsOfToken } from '../../../src/platform/ports/pool-feed.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const START = 1_700_000_000_000;
const SLOT_MS = 400;
const UNITS = 1_000_000_000n;
const DEPTH = 1_000_000_000_000n;
const OTHER: Address = addressFromBytes(new Uint8Array(32).fill(9));

/** Sells all of a position where it brings less than seven tenths of the price at the start. */
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

/** The real watcher over orders on positions. What it wants to fire is written down, and stays open. */
async function watching() {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const [wallet] = await db.wallets.listByUser(userId);
  let ids = 0;
  let now = START;
  const id = (): string => {
    ids += 1;
    return `order-${String(ids).padStart(3, '0')}`;
  };
  const placeAll = async (
    drafts: readonly OrderDraft[],
    { mint = TOKEN, units = null as bigint | null } = {},
  ): Promise<OrderGroup> => {
    const group = newGroup(
      {
        userId,
        walletId: wallet?.id ?? '',
        mint,
        placeKey: id(),
        kind: 'OCO',
        units,
        drafts,
        expiresAt: now + 30 * 86_400_000,
        slippageBps: 100,
        tier: 'normal',
        accepted: [],
        supply: null,
        parentIntentId: null,
      },
      { id, now, depthLamports: null },
    );
    await db.orders.insert(PASSED, group);
    return group;
  };
  const place = async (draft: OrderDraft, mint = TOKEN): Promise<string> =>
    (await placeAll([draft], { mint })).orders[0]?.id ?? '';
  const fired = new Set<string>();
  const find = async (orderId: string) => {
    fired.add(orderId);
    return null;
  };
  const wallets = { held: async (): Promise<bigint> => UNITS };
  let tell: (told: PoolsOfToken) => void = () => undefined;
  const watch = createOrderWatch({
    db: { ...db, orders: { ...db.orders, find } },
    clock: { now: () => now },
    ids: { ulid: id },
    ordersChanged: () => undefined,
    orderFeed: memoryOrderFeed(),
    owner: 'here',
    news: createNews(),
    log: { info: () => undefined, warn: () => undefined },
    tradeFeeBps: () => bps(100),
    solPrice: async () => null,
    pause: async () => undefined,
    market: { sellable: async () => ({ units: await wallets.held(), elsewhere: 0n }) },
    feed: {
      watch: () => undefined,
      onPools: (listener: typeof tell) => {
        tell = listener;
      },
      stop: async () => undefined,
    },
  } as unknown as OrderWatchDeps);

  let slot = 0;
  /** So many percent of the price at the start, for so many slots. */
  const hold = async (percent: bigint, slots = 8, mint = TOKEN): Promise<void> => {
    for (let n = 0; n < slots; n += 1) {
      slot += 1;
      now += SLOT_MS;
      const state = { mints: [mint, WSOL_MINT], token: DEPTH, sol: (DEPTH * percent) / 100n } as const;
      tell({
        mint,
        pools: [buildPool({ ...state, slot: BigInt(slot) })],
        slot: BigInt(slot),
        at: now,
        how: 'followed',
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await watch.round();
  };
  const statusOf = async (orderId: string) => {
    const group = await db.orders.find(orderId);
    return group?.orders.find((one) => one.id === orderId);
  };
  /** As a settlement writes it: this leg's row, and what its group has sold. */
  const sold = async (group: OrderGroup, order: Order, units: bigint): Promise<void> => {
    const write = { orderId: order.id, expectVersion: order.version, expectStatus: order.status };
    const filled = { ...order, version: order.version + 1, status: 'FILLED', filled: units } as const;
    await db.orders.write(PASSED, { ...group, sold: units }, [{ ...write, order: filled }]);
  };
  /** As a final purchase books it. */
  const book = async (units: bigint): Promise<void> => {
    const event = {
      kind: 'buy',
      units,
      flowLamports: -units,
      mint: TOKEN,
      signature: 'bought',
      slot: 1n,
    } as const;
    const fees = { networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    const walletId = wallet?.id ?? '';
    await db.positions.record([{ ...event, ...fees, walletId, at: now, final: true, intentId: null }]);
  };
  /** As a settlement writes it: another account of the wallet holds more. `refused`: its sale was, a moment ago. */
  const soldInPart = async (orderId: string, { refused = false } = {}): Promise<void> => {
    const group = await db.orders.find(orderId);
    const order = group?.orders.find((one) => one.id === orderId);
    if (group === null || order === undefined) throw new Error('no order');
    const note = refused ? { code: 'floor', at: now } : null;
    const progress = { ...order.progress, follows: true, note } as const;
    const write = { orderId, expectVersion: order.version, expectStatus: order.status };
    await db.orders.write(PASSED, group, [
      { ...write, order: { ...order, version: order.version + 1, progress } },
    ]);
  };
  return { place, placeAll, book, sold, soldInPart, fired, wallets, watch, hold, pass, statusOf };
}

describe('a stop on a position', () => {
  it('is watched although another token was looked at while its holding was read', async () => {
    const { place, fired, wallets, watch, hold } = await watching();
    await place(STOP, OTHER);
    await watch.round();
    const stop = await place(STOP);
    wallets.held = async () => {
      await hold(100n, 1, OTHER);
      return UNITS;
    };
    await watch.round();
    await watch.round();
    expect(watch.size()).toBe(2);
    await hold(60n);
    expect([...fired]).toEqual([stop]);
    await watch.stop();
  });

  it('is watched at the size of what is held now, not of what was held when it was placed', async () => {
    const { place, fired, wallets, watch, hold, pass } = await watching();
    const stop = await place(STOP);
    await watch.round();
    // Half of what is in the pool: its sale brings a third less than the price of a little.
    wallets.held = async () => DEPTH / 2n;
    await pass(31_000);
    await hold(100n);
    expect([...fired]).toEqual([stop]);
    await watch.stop();
  });

  it('sells what another account holds at once, at any price, and after a refusal in half a minute', async () => {
    const { place, soldInPart, fired, watch, hold, pass } = await watching();
    const stop = await place(STOP);
    await watch.round();
    await hold(100n);
    expect([...fired]).toEqual([]);
    await soldInPart(stop);
    await pass(300);
    expect([...fired]).toEqual([stop]);
    fired.clear();
    await soldInPart(stop, { refused: true });
    await pass(300);
    expect([...fired]).toEqual([]);
    await pass(30_000);
    await pass(300);
    expect([...fired]).toEqual([stop]);
    await watch.stop();
  });

  it('is watched at the size of what its take-profit has left', async () => {
    const { placeAll, sold, fired, watch, hold, pass } = await watching();
    const gain: OrderDraft = {
      ...STOP,
      type: 'TAKE_PROFIT',
      amount: { kind: 'share', bps: 9_000 },
      trigger: { got: 900n, given: 100n },
    };
    const group = await placeAll([gain, STOP], { units: DEPTH / 2n });
    const [first] = group.orders;
    if (first === undefined) throw new Error('no order');
    await watch.round();
    await sold(group, first, (DEPTH / 20n) * 9n);
    await pass(300);
    await hold(100n);
    expect([...fired]).toEqual([]);
    await watch.stop();
  });

  it('stays watched where its holding cannot be read for once', async () => {
    const { place, fired, wallets, watch, hold, pass } = await watching();
    const stop = await place(STOP);
    await watch.round();
    wallets.held = async () => {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'one', cause: 'away' });
    };
    await pass(31_000);
    expect(watch.size()).toBe(1);
    await hold(60n);
    expect([...fired]).toEqual([stop]);
    await watch.stop();
  });

  const NOTHING = async (): Promise<bigint> => {
    throw new AppError('INSUFFICIENT_TOKENS', { needed: 1n, available: 0n, decimals: 6 });
  };

  it('ends once its position is closed: it must not sell what is bought some other day', async () => {
    const { place, wallets, watch, pass, statusOf } = await watching();
    const stop = await place(STOP);
    await watch.round();
    await pass(61_000);
    wallets.held = NOTHING;
    // One node may be behind for a moment.
    await pass(31_000);
    expect((await statusOf(stop))?.status).toBe('OPEN');
    wallets.held = async () => UNITS;
    await pass(31_000);
    wallets.held = NOTHING;
    await pass(31_000);
    expect((await statusOf(stop))?.status).toBe('OPEN');
    await pass(31_000);
    expect(await statusOf(stop)).toMatchObject({ status: 'CANCELLED', reason: 'position-closed' });
    await pass(31_000);
    expect(watch.size()).toBe(0);
    await watch.stop();
  });

  it('stands where a node shows nothing of what was bought, however often', async () => {
    const { place, book, wallets, watch, pass, statusOf } = await watching();
    const stop = await place(STOP);
    await book(UNITS);
    await watch.round();
    await pass(61_000);
    wallets.held = NOTHING;
    for (let n = 0; n < 5; n += 1) await pass(31_000);
    expect((await statusOf(stop))?.status).toBe('OPEN');
    await watch.stop();
  });

  it('stands where what is held was bought a moment ago, or cannot be read', async () => {
    const { place, wallets, watch, pass, statusOf } = await watching();
    wallets.held = NOTHING;
    const stop = await place(STOP);
    await watch.round();
    await pass(31_000);
    wallets.held = async () => {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'one', cause: 'away' });
    };
    for (let n = 0; n < 5; n += 1) await pass(31_000);
    expect((await statusOf(stop))?.status).toBe('OPEN');
    await watch.stop();
  });
});
