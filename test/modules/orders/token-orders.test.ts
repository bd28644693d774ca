import { MAX_U64, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Order, OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { createPriceView } from '../../../src/modules/orders/rules/price-view.ts';
import type { TrailPeak } from '../../../src/modules/orders/store/order-feed-store-port.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import {
  createTokenOrders,
  highFrom,
  type TokenOrders,
} from '../../../src/modules/orders/use/token-orders.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const START = 1_700_000_000_000;
const SLOT_MS = 400;
const UNITS = 1_000_000_000n;
const DEPTH = 1_000_000_000_000n;

const SALE: OrderDraft = {
  side: 'sell',
  type: 'TRAILING_STOP',
  amount: { kind: 'rest' },
  unit: 'SOL',
  trigger: null,
  request: '',
  floor: 'default',
  trailing: { bps: 1_000, activation: null },
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};

function placed(name: string, { draft = SALE, at = START, units = UNITS as bigint | null } = {}): OrderGroup {
  return newGroup(
    {
      userId: 'user',
      walletId: 'wallet',
      mint: TOKEN,
      placeKey: name,
      kind: 'SINGLE',
      units,
      drafts: [draft],
      expiresAt: at + 86_400_000,
      slippageBps: 100,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId: null,
    },
    { id: () => name, now: at, depthLamports: null },
  );
}

function put(token: TokenOrders, group: OrderGroup, more: Partial<Order> = {}, held = MAX_U64): void {
  const [order] = group.orders;
  if (order !== undefined) token.put({ ...order, ...more }, group, held);
}

/** Slots at which one pool shows a price, in percent of the price at the start. */
function market(token: () => TokenOrders) {
  let slot = 0;
  const at = (): number => START + slot * SLOT_MS;
  const look = (percent: bigint): readonly string[] => {
    slot += 1;
    const pool = { mints: [TOKEN, WSOL_MINT], token: DEPTH, sol: (DEPTH * percent) / 100n } as const;
    const pools = [buildPool({ id: 1, ...pool, slot: BigInt(slot) })];
    const seen = { mint: TOKEN, pools, slot: BigInt(slot), at: at(), how: 'followed' as const };
    return token()
      .update(createPriceView({ ...seen, solUsd: null, feeBps: bps(100) }))
      .map(({ orderId }) => orderId);
  };
  const hold = (percent: bigint, slots = 8): readonly string[] =>
    Array.from({ length: slots }, () => look(percent)).flat();
  return { at, hold };
}

describe('the high of a trailing stop', () => {
  it('stays when a fire of it ended without effect', () => {
    const token = createTokenOrders(TOKEN, [], START);
    const { hold } = market(() => token);
    const group = placed('trail');
    put(token, group);
    hold(200n);
    expect(hold(170n)).toContain('trail');
    put(token, group, { status: 'TRIGGERED', version: 2, fires: 1 });
    put(token, group, { version: 3, fires: 1 });
    // 15 % below its high, as before.
    expect(hold(170n)).toContain('trail');
  });

  it('is none any more for one that was resumed', () => {
    const token = createTokenOrders(TOKEN, [], START);
    const { hold, at } = market(() => token);
    const group = placed('trail');
    put(token, group);
    hold(200n);
    put(token, group, { status: 'PAUSED', version: 2 });
    const [order] = group.orders;
    if (order === undefined) throw new Error('no order');
    put(token, group, { version: 3, progress: { ...order.progress, activatedAt: at() } });
    expect(hold(170n)).toEqual([]);
  });

  it('is its own after every restart: not one from before it was placed, and not forgotten beside a higher one', async () => {
    const feed = memoryOrderFeed();
    let token = createTokenOrders(TOKEN, [], START);
    const { hold, at } = market(() => token);
    const early = placed('early');
    put(token, early);
    hold(200n);
    await feed.savePeaks(token.risenPeaks(at()));
    hold(185n);
    const late = placed('late', { at: at() });
    put(token, late);
    hold(188n);
    await feed.savePeaks(token.risenPeaks(at()));
    for (let restart = 0; restart < 3; restart += 1) {
      const peaks: readonly TrailPeak[] = await feed.peaks([TOKEN]);
      token = createTokenOrders(TOKEN, peaks, at());
      put(token, early);
      put(token, late);
      expect(hold(181n)).toEqual([]);
      await feed.savePeaks(token.risenPeaks(at()));
    }
    // 11 % below the high of the early one, 5 % below that of the late one.
    expect(new Set(hold(178n))).toEqual(new Set(['early']));
    expect(new Set(hold(168n))).toEqual(new Set(['early', 'late']));
  });
});

describe('the high of a trailing stop whose size became smaller', () => {
  /** So much of the group is sold by another order of it. */
  const soldOf = (group: OrderGroup, sold: bigint): OrderGroup => ({ ...group, sold });
  const BIG = DEPTH / 2n;

  async function afterRestart(more: (at: () => number) => OrderGroup | null) {
    const feed = memoryOrderFeed();
    let token = createTokenOrders(TOKEN, [], START);
    const { hold, at } = market(() => token);
    const group = placed('trail', { units: BIG });
    put(token, group);
    hold(200n);
    hold(190n);
    await feed.savePeaks(token.risenPeaks(at()));
    const other = more(at);
    if (other !== null) put(token, other);
    hold(other === null ? 190n : 210n);
    const rest = soldOf(group, BIG - UNITS);
    put(token, rest);
    await feed.savePeaks(token.risenPeaks(at()));
    token = createTokenOrders(TOKEN, await feed.peaks([TOKEN]), at());
    put(token, rest);
    return { hold };
  }

  it('is found after a restart', async () => {
    const { hold } = await afterRestart(() => null);
    // Its class takes as much as the pool holds, which halves the price: the high was 95, and it fires 10 % below that.
    expect(hold(90n)).toEqual([]);
    expect(hold(80n)).toContain('trail');
  });

  it('is found though a younger order of its old size hid it', async () => {
    const { hold } = await afterRestart((at) => placed('young', { units: BIG, at: at() }));
    expect(hold(95n)).toEqual([]);
    expect(hold(85n)).toContain('trail');
  });

  it('is not that of a younger order that always gave less, or more', async () => {
    const feed = memoryOrderFeed();
    const token = createTokenOrders(TOKEN, [], START);
    const { hold, at } = market(() => token);
    const group = placed('trail', { units: UNITS });
    put(token, placed('less', { units: UNITS / 1_000n, at: at() + 1 }));
    put(token, placed('more', { units: UNITS * 100n, at: at() + 1 }));
    hold(200n);
    await feed.savePeaks(token.risenPeaks(at()));
    const peaks = await feed.peaks([TOKEN]);
    expect(peaks).toHaveLength(2);
    const [order] = group.orders;
    if (order === undefined) throw new Error('no order');
    expect(highFrom({ group, order, units: UNITS }, peaks)).toBeNull();
  });
});

describe('a stop beside a take-profit', () => {
  const STOP: OrderDraft = {
    ...SALE,
    type: 'STOP_LOSS',
    trigger: { got: 70n, given: 100n },
    trailing: null,
  };

  it('is watched at the size of what that has left', () => {
    const token = createTokenOrders(TOKEN, [], START);
    const { hold } = market(() => token);
    const group = placed('stop', { draft: STOP, units: DEPTH / 2n });
    put(token, group);
    expect(hold(100n)).toContain('stop');
    // Nine tenths are sold by another order: this row is as it was.
    put(token, { ...group, sold: (DEPTH / 20n) * 9n });
    expect(hold(100n)).toEqual([]);
    expect(hold(60n)).toContain('stop');
  });

  it('keeps its size, and its window, while that is on its way', () => {
    const token = createTokenOrders(TOKEN, [], START);
    const { hold } = market(() => token);
    const group = placed('stop', { draft: STOP });
    put(token, group);
    hold(60n, 4);
    const live = { orderId: 'gain', n: 1, intentId: 'one', units: UNITS };
    put(token, { ...group, liveFires: [live] });
    expect(hold(60n, 2)).toContain('stop');
  });
});

describe('a node that stands still', () => {
  const STOP: OrderDraft = { ...SALE, type: 'STOP_LOSS', trigger: { got: 70n, given: 100n }, trailing: null };

  /** One look at a token that is polled, a tenth of the second after the start. */
  const polled = (
    token: TokenOrders,
    { slot, ms, percent }: { slot: number; ms: number; percent: bigint },
  ) => {
    const pool = { mints: [TOKEN, WSOL_MINT], token: DEPTH, sol: (DEPTH * percent) / 100n } as const;
    const pools = [buildPool({ id: 1, ...pool, slot: BigInt(slot) })];
    const seen = { mint: TOKEN, pools, slot: BigInt(slot), at: START + ms, how: 'polled' as const };
    return token
      .update(createPriceView({ ...seen, solUsd: null, feeBps: bps(100) }))
      .map(({ orderId }) => orderId);
  };

  it('holds no condition, and is as one that is away', () => {
    const token = createTokenOrders(TOKEN, [], START);
    put(token, placed('stop', { draft: STOP }));
    expect(polled(token, { slot: 10, ms: 0, percent: 100n })).toEqual([]);
    // A wick, which the node goes on to show.
    for (let ms = 400; ms <= 30_000; ms += 400) {
      expect(polled(token, { slot: 11, ms, percent: 60n })).toEqual([]);
      expect(token.mark()?.at).toBe(START + 400);
      expect(token.pricedAt()).toBe(START + 400);
      expect(token.checkBlind(START + ms)).toBe(ms === 10_800);
    }
    expect(polled(token, { slot: 90, ms: 32_000, percent: 60n })).toEqual([]);
    expect(token.mark()?.at).toBe(START + 32_000);
    expect(polled(token, { slot: 96, ms: 34_400, percent: 60n })).toEqual(['stop']);
  });

  it('begins anew although nobody looked whether it was blind', () => {
    const token = createTokenOrders(TOKEN, [], START);
    const stop = placed('stop', { draft: STOP });
    polled(token, { slot: 11, ms: 0, percent: 60n });
    // Placed while the node stands still: its window opens at the old slot.
    put(token, stop);
    for (let ms = 9_000; ms <= 14_000; ms += 1_000) polled(token, { slot: 11, ms, percent: 60n });
    expect(polled(token, { slot: 60, ms: 15_000, percent: 60n })).toEqual([]);
    expect(polled(token, { slot: 66, ms: 17_400, percent: 60n })).toEqual(['stop']);
  });

  it('is believed again after ten seconds when another one answers from behind it', () => {
    const token = createTokenOrders(TOKEN, [], START);
    put(token, placed('stop', { draft: STOP }));
    polled(token, { slot: 1_000_000, ms: 0, percent: 100n });
    const fired = [];
    for (let n = 1; n <= 40; n += 1)
      fired.push(...polled(token, { slot: 100 + n, ms: n * 400, percent: 60n }).map(() => n));
    // 10 seconds are 25 slots: from the 26th on six must be seen.
    expect(fired[0]).toBe(32);
  });
});
