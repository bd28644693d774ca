import { describe, expect, it } from 'vitest';
import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import { WSOL_MINT } from '../../../src/core/address/programs.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { PoolsOfToken } from '../../../src/core/ports/pool-feed.ts';
import { newGroup, type OrderDraft } from '../../../src/services/orders/draft.ts';
import {
  createOrderNews,
  createOrderWatch,
  type OrderWatchDeps,
} from '../../../src/services/orders/watch-orders.ts';
import { buildPool, TOKEN } from '../../core/swap/build-pool.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { addPerson } from '../../support/simulator/people.ts';

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
  const place = async (draft: OrderDraft, mint = TOKEN): Promise<string> => {
    const group = newGroup(
      {
        userId,
        walletId: wallet?.id ?? '',
        mint,
        placeKey: id(),
        kind: 'OCO',
        units: null,
        drafts: [draft],
        expiresAt: now + 30 * 86_400_000,
        slippageBps: 100,
        tier: 'normal',
        accepted: [],
        supply: null,
        parentIntentId: null,
      },
      { id, now, depthLamports: null },
    );
    await db.orders.insert(group);
    return group.orders[0]?.id ?? '';
  };
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
    news: createOrderNews(),
    log: { info: () => undefined, warn: () => undefined },
    tradeFeeBps: () => bps(100),
    solPrice: async () => null,
    pause: async () => undefined,
    market: { sellable: () => wallets.held() },
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
  return { place, fired, wallets, watch, hold, pass, statusOf };
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
});
