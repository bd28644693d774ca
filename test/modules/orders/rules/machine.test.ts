import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { begun, fireKey, reduceOrders } from '../../../../src/modules/orders/rules/machine.ts';
import {
  freeUnits,
  isClosed,
  isPosition,
  NO_PROGRESS,
  type Order,
  type OrderGroup,
  type OrderProgress,
  unitsToGive,
} from '../../../../src/modules/orders/rules/order.ts';
import type { OrderEvent } from '../../../../src/modules/orders/rules/transition.ts';

const order = (over: Partial<Order> = {}): Order => ({
  id: 'o',
  groupId: 'g',
  userId: 'u',
  number: 1,
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  side: 'sell',
  type: 'STOP_LOSS',
  status: 'OPEN',
  reason: null,
  version: 4,
  amount: { kind: 'rest' },
  filled: 0n,
  received: 0n,
  unit: 'SOL',
  trigger: { got: 1n, given: 1n },
  holdMs: 0,
  partial: false,
  fires: 2,
  burntLamports: 0n,
  certificate: null,
  notBeforeSlot: null,
  afterwards: null,
  terms: {
    request: '-20%',
    toleranceBps: 0,
    slippageBps: 500,
    tier: 'normal',
    floor: null,
    trailing: null,
    schedule: null,
    sellsOnExpiry: false,
    accepted: ['a'],
    supply: 9n,
    depthLamports: 8n,
  },
  progress: NO_PROGRESS,
  expiresAt: 50,
  createdAt: 0,
  ...over,
});
const group = (over: Partial<OrderGroup> = {}): OrderGroup => ({
  id: 'g',
  userId: 'u',
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  placeKey: 'k',
  parentIntentId: null,
  createdAt: 0,
  kind: 'OCO',
  units: 1_000n,
  sold: 0n,
  liveFires: [],
  orders: [order()],
  ...over,
});
/** A group whose order `o` is firing 400 units. */
const busy = (over: Partial<Order> = {}, more: Partial<OrderGroup> = {}): OrderGroup =>
  group({
    orders: [order({ status: 'TRIGGERED', fires: 3, ...over })],
    liveFires: [{ orderId: 'o', n: 3, intentId: 'i', units: 400n }],
    ...more,
  });
const orderAfter = (from: OrderGroup, event: OrderEvent): Order => {
  const [one] = reduceOrders(from, event).group.orders;
  if (one === undefined) throw new Error('no order');
  return one;
};
const changesNothing = (from: OrderGroup, event: OrderEvent): void =>
  expect(reduceOrders(from, event)).toEqual({ group: from, writes: [], effects: [] });
const MARKS: OrderProgress = {
  ...NO_PROGRESS,
  refusals: 5,
  note: { code: 'x', at: 1 },
  doubts: ['b'],
  follows: true,
  short: 2,
  told: { ending: 3, cap: 4 },
};
const fired = {
  kind: 'fired',
  orderId: 'o',
  intentId: 'new',
  units: 400n,
  slot: 10n,
  held: 1_000n,
  quoted: 7n,
  at: 9,
} as const;
const settled = {
  kind: 'settled',
  intentId: 'i',
  given: 400n,
  got: 8n,
  isWhole: false,
  at: 9,
  progress: MARKS,
} as const;
const voided = {
  kind: 'voided',
  intentId: 'i',
  burntLamports: 5n,
  notBeforeSlot: 12n,
  pause: null,
  reason: 'PRICE_MOVED',
  at: 9,
  progress: MARKS,
} as const;
const MISSING = 'another';

describe('an order that fires', () => {
  it('remembers that another account holds more, by the number of the fire', () => {
    expect(orderAfter(group(), { ...fired, isShort: true }).progress).toEqual({ ...NO_PROGRESS, short: 3 });
    for (const isShort of [undefined, false])
      expect(orderAfter(group(), { ...fired, ...(isShort === undefined ? {} : { isShort }) })).toMatchObject({
        status: 'TRIGGERED',
        fires: 3,
        version: 5,
        progress: NO_PROGRESS,
      });
    expect(fireKey('o', 3)).toBe('order:o:3');
  });

  it('gives all that it may and no unit more, no part of nothing, and nothing before its slot', () => {
    expect(reduceOrders(group(), { ...fired, units: 1_000n }).effects).toHaveLength(1);
    for (const units of [1_001n, 0n, -1n]) changesNothing(group(), { ...fired, units });
    changesNothing(group(), { ...fired, orderId: MISSING });
    const later = group({ orders: [order({ notBeforeSlot: 10n })] });
    changesNothing(later, { ...fired, slot: 9n });
    expect(orderAfter(later, fired).status).toBe('TRIGGERED');
    for (const status of ['PAUSED', 'WAITING', 'TRIGGERED', 'FILLED', 'CANCELLED', 'EXPIRED'] as const)
      changesNothing(group({ orders: [order({ status })] }), fired);
  });

  it('is filled by what its receipts say, and open again where something is left', () => {
    const part = reduceOrders(busy({ filled: 1n, received: 2n, notBeforeSlot: 5n }, { sold: 10n }), settled);
    expect(part.group).toMatchObject({ sold: 410n, liveFires: [] });
    expect(part.group.orders[0]).toMatchObject({
      status: 'OPEN',
      reason: null,
      filled: 401n,
      received: 10n,
      notBeforeSlot: null,
      progress: MARKS,
    });
    expect(part.effects).toEqual([
      {
        kind: 'end-fire',
        orderId: 'o',
        n: 3,
        end: { at: 9, result: 'settled', given: 400n, got: 8n, burntLamports: 0n, reason: null },
      },
    ]);
    const whole = orderAfter(busy({ afterwards: { status: 'PAUSED', reason: 'panic' } }), {
      ...settled,
      isWhole: true,
    });
    expect(whole).toMatchObject({ status: 'FILLED', reason: null, afterwards: null });
    // A wish of the meantime is carried out where something is left.
    expect(orderAfter(busy({ afterwards: { status: 'PAUSED', reason: 'panic' } }), settled)).toMatchObject({
      status: 'PAUSED',
      reason: 'panic',
      afterwards: null,
    });
  });

  it('calls off the other legs once the units of the group are used up, but none that sells or has ended', () => {
    const others = (['OPEN', 'PAUSED', 'WAITING', 'TRIGGERED', 'FILLED'] as const).map((status) =>
      order({ id: status, status }),
    );
    const with_ = (sold: bigint, units: bigint | null) =>
      busy({}, { sold, units, orders: [...busy().orders, ...others] });
    const statuses = (from: OrderGroup) =>
      reduceOrders(from, settled).group.orders.map(({ status, reason }) =>
        `${status} ${reason ?? ''}`.trim(),
      );
    const kept = ['OPEN', 'OPEN', 'PAUSED', 'WAITING', 'TRIGGERED', 'FILLED'];
    expect(statuses(with_(599n, 1_000n))).toEqual(kept);
    for (const sold of [600n, 700n])
      expect(statuses(with_(sold, 1_000n))).toEqual([
        'OPEN',
        'CANCELLED oco',
        'CANCELLED oco',
        'CANCELLED oco',
        'TRIGGERED',
        'FILLED',
      ]);
    expect(statuses(with_(9_000n, null))).toEqual(kept);
  });

  it('that had no effect keeps its cost and its reason, and pauses for it unless more was asked', () => {
    const back = reduceOrders(busy({ burntLamports: 3n }), voided);
    expect(back.group.liveFires).toEqual([]);
    expect(back.group.orders[0]).toMatchObject({
      status: 'OPEN',
      burntLamports: 8n,
      notBeforeSlot: 12n,
      progress: MARKS,
    });
    expect(back.effects).toEqual([
      {
        kind: 'end-fire',
        orderId: 'o',
        n: 3,
        end: { at: 9, result: 'voided', given: 0n, got: 0n, burntLamports: 5n, reason: 'PRICE_MOVED' },
      },
    ]);
    expect(orderAfter(busy(), { ...voided, pause: 'budget' })).toMatchObject({
      status: 'PAUSED',
      reason: 'budget',
    });
    const cancelled = busy({ afterwards: { status: 'CANCELLED', reason: 'person' } });
    expect(orderAfter(cancelled, { ...voided, pause: 'budget' })).toMatchObject({
      status: 'CANCELLED',
      reason: 'person',
    });
  });

  it('ends once: a fire that is not live, or an order that does not fire, changes nothing', () => {
    for (const event of [settled, voided]) {
      changesNothing(busy(), { ...event, intentId: MISSING });
      changesNothing(busy({ status: 'OPEN' }), event);
      changesNothing(busy({}, { liveFires: [] }), event);
      changesNothing(busy({}, { orders: [] }), event);
    }
    // The fire of another leg stays live.
    const two = busy(
      {},
      { liveFires: [...busy().liveFires, { orderId: 'p', n: 1, intentId: 'j', units: 1n }] },
    );
    expect(reduceOrders(two, voided).group.liveFires.map(({ intentId }) => intentId)).toEqual(['j']);
  });
});

describe('an order that is stopped', () => {
  const cancelled = { kind: 'cancelled', orderId: 'o', reason: 'person' } as const;
  const paused = { kind: 'paused', orderId: 'o', reason: 'safety', doubts: ['b'] } as const;

  it('ends at once from each state in which nothing is on its way, and pauses from open alone', () => {
    for (const status of ['OPEN', 'PAUSED', 'WAITING'] as const)
      expect(orderAfter(group({ orders: [order({ status })] }), cancelled)).toMatchObject({
        status: 'CANCELLED',
        reason: 'person',
      });
    for (const status of ['FILLED', 'CANCELLED', 'EXPIRED'] as const)
      changesNothing(group({ orders: [order({ status })] }), cancelled);
    for (const status of ['PAUSED', 'WAITING', 'FILLED'] as const)
      changesNothing(group({ orders: [order({ status })] }), paused);
    changesNothing(group(), { ...paused, orderId: MISSING });
    expect(orderAfter(group(), paused)).toMatchObject({
      status: 'PAUSED',
      reason: 'safety',
      progress: { ...NO_PROGRESS, doubts: ['b'] },
    });
    expect(orderAfter(group(), { kind: 'paused', orderId: 'o', reason: 'panic' }).progress).toEqual(
      NO_PROGRESS,
    );
  });

  it('while it fires is stopped by the end of that, and only a cancellation calls the intent back', () => {
    const pause = reduceOrders(busy(), paused);
    expect(pause.group.orders[0]).toMatchObject({
      status: 'TRIGGERED',
      afterwards: { status: 'PAUSED', reason: 'safety' },
    });
    expect(pause.effects).toEqual([]);
    const cancel = reduceOrders(pause.group, cancelled);
    expect(cancel.effects).toEqual([{ kind: 'cancel-intent', intentId: 'i' }]);
    expect(cancel.group.orders[0]?.afterwards).toEqual({ status: 'CANCELLED', reason: 'person' });
    changesNothing(cancel.group, paused);
    changesNothing(cancel.group, cancelled);
    expect(reduceOrders(busy({}, { liveFires: [] }), cancelled).effects).toEqual([]);
    const other = busy(
      {},
      { liveFires: [{ orderId: 'p', n: 1, intentId: 'j', units: 1n }, ...busy().liveFires] },
    );
    expect(reduceOrders(other, cancelled).effects).toEqual([{ kind: 'cancel-intent', intentId: 'i' }]);
  });

  it('expires from each state in which nothing is on its way', () => {
    const expired = { kind: 'expired', orderId: 'o' } as const;
    for (const status of ['OPEN', 'PAUSED', 'WAITING'] as const)
      expect(orderAfter(group({ orders: [order({ status, reason: 'panic' })] }), expired)).toMatchObject({
        status: 'EXPIRED',
        reason: null,
      });
    changesNothing(busy(), expired);
  });
});

describe('an order that is resumed', () => {
  const resumed = { kind: 'resumed', orderId: 'o', at: 7 } as const;
  const paused = (reason: Order['reason'], over: Partial<Order> = {}) =>
    group({ orders: [order({ status: 'PAUSED', reason, notBeforeSlot: 5n, progress: MARKS, ...over })] });

  it('begins anew, and does not pause again for what its person has read', () => {
    // Agreed anew: a copy of the row from before is void.
    const terms = { ...order().terms, agreedAt: resumed.at };
    expect(orderAfter(paused('person'), resumed)).toMatchObject({
      status: 'OPEN',
      reason: null,
      notBeforeSlot: null,
      terms,
    });
    expect(orderAfter(paused('person'), resumed).terms).toEqual(terms);
    expect(orderAfter(paused('safety'), resumed).terms).toEqual({ ...terms, accepted: ['a', 'b'] });
    const known = paused('safety', { progress: { ...NO_PROGRESS, doubts: ['a'] } });
    expect(orderAfter(known, resumed).terms.accepted).toEqual(['a']);
    expect(orderAfter(paused('safety', { progress: NO_PROGRESS }), resumed).terms.accepted).toEqual(['a']);
    expect(orderAfter(paused('liquidity'), resumed).terms).toEqual({ ...terms, depthLamports: null });
    expect(orderAfter(paused('supply'), resumed).terms).toEqual({ ...terms, supply: null });
    expect(reduceOrders(paused('person'), resumed).effects).toEqual([
      { kind: 'forget-windows', orderId: 'o' },
    ]);
  });

  it('is agreed later than before, also where the clock has not moved', () => {
    const terms = { ...order().terms, agreedAt: resumed.at };
    expect(orderAfter(paused('person', { terms }), resumed).terms.agreedAt).toBe(resumed.at + 1);
  });

  it('takes the grants that it was judged for now, and keeps its own where none were judged', () => {
    const grants = { steep: true, doubts: [], lockEpoch: 1, until: 9 };
    const had = { ...order().terms, grants };
    expect(orderAfter(paused('locked', { terms: had }), resumed).terms.grants).toEqual(grants);
    expect(
      orderAfter(paused('locked', { terms: had }), { ...resumed, grants: null }).terms.grants,
    ).toBeNull();
    expect(orderAfter(paused('locked'), { ...resumed, grants }).terms.grants).toEqual(grants);
  });

  it('is resumed from a pause alone', () => {
    changesNothing(group(), resumed);
    changesNothing(busy(), resumed);
    changesNothing(paused('person'), { ...resumed, orderId: MISSING });
  });
});

describe('what an order remembers when it begins anew', () => {
  const trailing = (activation: { got: bigint; given: bigint } | null) => ({
    ...order().terms,
    trailing: { bps: 500, activation },
  });

  it('is what was said and sold, and no refusal, no note and no doubt of before', () => {
    expect(begun({ terms: order().terms, progress: MARKS }, 7)).toEqual({
      ...NO_PROGRESS,
      short: 2,
      told: { ending: 3, cap: 4 },
    });
  });

  it('is that a stop trails from now on, or from its activation', () => {
    expect(begun({ terms: trailing(null), progress: NO_PROGRESS }, 7).activatedAt).toBe(7);
    const active = { ...NO_PROGRESS, activatedAt: 3 };
    expect(begun({ terms: trailing({ got: 1n, given: 1n }), progress: active }, 7).activatedAt).toBeNull();
    expect(begun({ terms: order().terms, progress: active }, 7).activatedAt).toBeNull();
  });
});

describe('an order that is edited', () => {
  const edit = (terms: Extract<OrderEvent, { kind: 'edited' }>['terms'], units?: bigint) =>
    ({ kind: 'edited', orderId: 'o', at: 7, terms, ...(units === undefined ? {} : { units }) }) as const;
  const from = group({ orders: [order({ progress: MARKS, notBeforeSlot: 5n })] });

  it('begins anew under its new terms, and its end is said anew where that changed', () => {
    expect(orderAfter(from, edit({ holdMs: 2_400 }))).toMatchObject({
      holdMs: 2_400,
      notBeforeSlot: null,
      progress: { refusals: 0, note: null, told: { ending: 3, cap: 4 } },
    });
    expect(orderAfter(from, edit({ expiresAt: 50 })).progress.told).toEqual({ ending: 3, cap: 4 });
    expect(orderAfter(from, edit({ expiresAt: 51 })).progress.told).toEqual({ cap: 4 });
    const terms = { ...order().terms, trailing: { bps: 500, activation: null } };
    expect(orderAfter(from, edit({ terms })).progress.activatedAt).toBe(7);
    changesNothing(from, { ...edit({}), orderId: MISSING });
  });

  it('changes the units of its group where it says so, and only where it may be edited', () => {
    expect(reduceOrders(from, edit({}, 77n)).group.units).toBe(77n);
    expect(reduceOrders(from, edit({})).group.units).toBe(1_000n);
    expect(reduceOrders(busy(), edit({}, 77n)).writes).toEqual([]);
  });
});

describe('legs that wait for a purchase', () => {
  const waiting = group({
    units: null,
    orders: [order({ status: 'WAITING', progress: MARKS }), order({ id: 'done', status: 'CANCELLED' })],
  });

  it('wake with its units, paused where everything is frozen, and those that ended stay', () => {
    const awake = reduceOrders(waiting, { kind: 'awakened', units: 5n, at: 7, isFrozen: false });
    expect(awake.group).toMatchObject({
      units: 5n,
      orders: [{ status: 'OPEN', reason: null }, { status: 'CANCELLED' }],
    });
    expect(awake.group.orders[0]?.progress.refusals).toBe(0);
    expect(awake.writes).toHaveLength(1);
    const frozen = orderAfter(waiting, { kind: 'awakened', units: 5n, at: 7, isFrozen: true });
    expect(frozen).toMatchObject({ status: 'PAUSED', reason: 'panic' });
    changesNothing(group(), { kind: 'awakened', units: 5n, at: 7, isFrozen: false });
  });

  it('take the number that its final receipt says, without a write of their own', () => {
    expect(reduceOrders(waiting, { kind: 'units-corrected', units: 6n })).toEqual({
      group: { ...waiting, units: 6n },
      writes: [],
      effects: [],
    });
  });
});

describe('an order that only has something to remember', () => {
  it('is held back while it is open, and its windows stay', () => {
    const held = { kind: 'held-back', orderId: 'o', notBeforeSlot: 99n, progress: MARKS } as const;
    const { group: next, effects } = reduceOrders(group(), held);
    expect(next.orders[0]).toMatchObject({ status: 'OPEN', notBeforeSlot: 99n, progress: MARKS });
    expect(effects).toEqual([]);
    changesNothing(busy(), held);
    changesNothing(group(), { ...held, orderId: MISSING });
  });

  it('notes what was said of it while it is not over and does not fire', () => {
    const said = { kind: 'told', orderId: 'o', progress: MARKS } as const;
    for (const status of ['OPEN', 'PAUSED', 'WAITING'] as const) {
      const { group: next, effects } = reduceOrders(group({ orders: [order({ status })] }), said);
      expect(next.orders[0]).toMatchObject({ status, progress: MARKS });
      expect(effects).toEqual([]);
    }
    for (const status of ['TRIGGERED', 'FILLED'] as const)
      changesNothing(group({ orders: [order({ status })] }), said);
    changesNothing(group(), { ...said, orderId: MISSING });
  });
});

describe('the units of a group', () => {
  it('are free where no sale took them and no live fire binds them, of what is held where none were given', () => {
    expect(freeUnits(busy({}, { sold: 100n }), 9n)).toBe(500n);
    expect(freeUnits(busy({}, { units: null, sold: 100n }), 900n)).toBe(500n);
    expect(freeUnits(busy({}, { sold: 700n }), 9n)).toBe(0n);
  });

  it('are given by an order up to its amount, its share and what is held', () => {
    const give = (amount: Order['amount'], held: bigint, over: Partial<OrderGroup> = {}, filled = 0n) =>
      unitsToGive(group(over), order({ amount, filled }), held);
    expect(give({ kind: 'rest' }, 5_000n)).toBe(1_000n);
    expect(give({ kind: 'rest' }, 400n)).toBe(400n);
    expect(give({ kind: 'fixed', units: 300n }, 5_000n, {}, 100n)).toBe(200n);
    expect(give({ kind: 'fixed', units: 300n }, 5_000n, {}, 301n)).toBe(0n);
    expect(give({ kind: 'share', bps: 2_500 }, 5_000n)).toBe(250n);
    expect(give({ kind: 'share', bps: 2_500 }, 5_000n, {}, 50n)).toBe(200n);
    expect(give({ kind: 'share', bps: 3_333 }, 5_000n)).toBe(333n);
    // A position's share counts the held units and those that it has sold already.
    expect(give({ kind: 'share', bps: 5_000 }, 600n, { units: null }, 400n)).toBe(100n);
  });

  it('are those of a position where it was given none and waits for no purchase', () => {
    expect(isPosition(group({ units: null }))).toBe(true);
    expect(isPosition(group())).toBe(false);
    expect(isPosition(group({ units: null, parentIntentId: 'i' }))).toBe(false);
    expect((['FILLED', 'CANCELLED', 'EXPIRED'] as const).every((status) => isClosed({ status }))).toBe(true);
    expect((['OPEN', 'PAUSED', 'WAITING', 'TRIGGERED'] as const).some((status) => isClosed({ status }))).toBe(
      false,
    );
  });
});

it('of several legs the one that is named changes, with its own terms and its own memory', () => {
  const mine = { ...order().terms, request: 'mine' };
  const legs = (status: Order['status']) =>
    group({
      orders: [
        order({ id: 'first', status, progress: MARKS }),
        order({ status, terms: mine, progress: { ...NO_PROGRESS, told: { ending: 1 } } }),
      ],
    });
  const second = (status: Order['status'], event: OrderEvent) =>
    reduceOrders(legs(status), event).group.orders[1];
  expect(second('PAUSED', { kind: 'resumed', orderId: 'o', at: 7 })).toMatchObject({
    status: 'OPEN',
    terms: mine,
  });
  expect(second('OPEN', { kind: 'edited', orderId: 'o', at: 7, terms: { expiresAt: 51 } })).toMatchObject({
    terms: mine,
    progress: { ...NO_PROGRESS, told: {} },
  });
  for (const status of ['PAUSED', 'WAITING'] as const)
    expect(second(status, { kind: 'edited', orderId: 'o', at: 7, terms: { holdMs: 3_600 } })?.holdMs).toBe(
      3_600,
    );
  expect(second('OPEN', { kind: 'paused', orderId: 'o', reason: 'safety', doubts: ['b'] })?.progress).toEqual(
    {
      ...NO_PROGRESS,
      told: { ending: 1 },
      doubts: ['b'],
    },
  );
  expect(second('OPEN', { ...fired, isShort: true })?.progress).toMatchObject({
    told: { ending: 1 },
    short: 3,
  });
});
