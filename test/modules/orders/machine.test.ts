import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import {
  freeUnits,
  isClosed,
  NO_PROGRESS,
  type Order,
  type OrderAmount,
  type OrderGroup,
  unitsToGive,
} from '../../../src/modules/orders/rules/order.ts';
import type { OrderEvent } from '../../../src/modules/orders/rules/transition.ts';

const order = (id: string, amount: OrderAmount, over: Partial<Order> = {}): Order => ({
  id,
  groupId: 'g',
  userId: 'u',
  number: 1,
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  side: 'sell',
  type: 'TAKE_PROFIT',
  status: 'OPEN',
  reason: null,
  version: 1,
  amount,
  filled: 0n,
  received: 0n,
  unit: 'SOL',
  trigger: { got: 1n, given: 1n },
  holdMs: 0,
  partial: false,
  fires: 0,
  burntLamports: 0n,
  certificate: null,
  notBeforeSlot: null,
  afterwards: null,
  terms: {
    request: '2x',
    toleranceBps: 0,
    slippageBps: 500,
    tier: 'normal',
    floor: null,
    trailing: null,
    schedule: null,
    sellsOnExpiry: false,
    accepted: [],
    supply: null,
    depthLamports: null,
  },
  progress: NO_PROGRESS,
  expiresAt: 0,
  createdAt: 0,
  ...over,
});

const bracket = (over: Partial<OrderGroup> = {}): OrderGroup => ({
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
  orders: [
    order('tp1', { kind: 'share', bps: 5_000 }),
    order('tp2', { kind: 'share', bps: 5_000 }),
    order('sl', { kind: 'rest' }, { type: 'STOP_LOSS' }),
  ],
  ...over,
});

const fire = (orderId: string, units: bigint, intentId = `i-${orderId}`): OrderEvent => ({
  kind: 'fired',
  orderId,
  intentId,
  units,
  slot: 10n,
  held: 1_000n,
  quoted: 1n,
  at: 7,
});
const settle = (intentId: string, given: bigint, isWhole = true): OrderEvent => ({
  kind: 'settled',
  intentId,
  given,
  got: given * 2n,
  isWhole,
  at: 7,
  progress: NO_PROGRESS,
});
const voidOf = (intentId: string): OrderEvent => ({
  kind: 'voided',
  intentId,
  burntLamports: 5n,
  notBeforeSlot: 12n,
  pause: null,
  reason: 'PRICE_MOVED',
  at: 7,
  progress: NO_PROGRESS,
});
const run = (group: OrderGroup, ...events: readonly OrderEvent[]): OrderGroup =>
  events.reduce((state, event) => reduceOrders(state, event).group, group);
const found = (group: OrderGroup, id: string): Order => {
  const one = group.orders.find((each) => each.id === id);
  if (one === undefined) throw new Error(id);
  return one;
};

describe('the machine of orders', () => {
  it('makes one intent per fire, with a key of its own', () => {
    const { group, effects, writes } = reduceOrders(bracket(), fire('tp1', 500n));
    expect(effects).toEqual([
      {
        kind: 'create-intent',
        idemKey: 'order:tp1:1',
        fire: {
          orderId: 'tp1',
          groupId: 'g',
          n: 1,
          intentId: 'i-tp1',
          units: 500n,
          slot: 10n,
          quoted: 1n,
          firedAt: 7,
          end: null,
        },
      },
    ]);
    expect(writes).toMatchObject([{ expectVersion: 1, expectStatus: 'OPEN' }]);
    expect(reduceOrders(group, fire('tp1', 1n, 'again')).effects).toEqual([]);
    const again = run(group, voidOf('i-tp1'));
    expect(found(again, 'tp1')).toMatchObject({ status: 'OPEN', burntLamports: 5n, notBeforeSlot: 12n });
    // The back-off is not over at slot 10.
    expect(reduceOrders(again, fire('tp1', 500n, 'next')).writes).toEqual([]);
    const later: OrderEvent = {
      kind: 'fired',
      orderId: 'tp1',
      intentId: 'next',
      units: 500n,
      slot: 12n,
      held: 1_000n,
      quoted: 1n,
      at: 7,
    };
    expect(reduceOrders(again, later).effects).toMatchObject([{ fire: { n: 2 }, idemKey: 'order:tp1:2' }]);
  });

  it('lets a stop sell what a take-profit left, and cancels what has nothing left', () => {
    const sold = run(bracket(), fire('tp1', 500n), settle('i-tp1', 500n));
    expect(found(sold, 'tp1')).toMatchObject({ status: 'FILLED', filled: 500n, received: 1_000n });
    expect(unitsToGive(sold, found(sold, 'sl'), 500n)).toBe(500n);
    const stopped = run(sold, fire('sl', 500n), settle('i-sl', 500n));
    expect(found(stopped, 'tp2')).toMatchObject({ status: 'CANCELLED', reason: 'oco' });
    // A leg that has ended keeps its end.
    expect(found(stopped, 'tp1')).toEqual(found(sold, 'tp1'));
  });

  it('sums up the fees of every fire that failed', () => {
    const twice = run(bracket(), fire('tp1', 500n), {
      ...voidOf('i-tp1'),
      notBeforeSlot: null,
    } as OrderEvent);
    const failed = run(twice, fire('tp1', 500n, 'second'), voidOf('second'));
    expect(found(failed, 'tp1').burntLamports).toBe(10n);
  });

  it('makes a stop wait while a take-profit of everything is on its way', () => {
    const all = bracket({ orders: [order('tp', { kind: 'rest' }), order('sl', { kind: 'rest' })] });
    const busy = run(all, fire('tp', 1_000n));
    expect(freeUnits(busy, 1_000n)).toBe(0n);
    expect(reduceOrders(busy, fire('sl', 1n)).writes).toEqual([]);
    expect(reduceOrders(run(busy, voidOf('i-tp')), fire('sl', 1_000n)).effects).toHaveLength(1);
  });

  it('wakes legs with the units that arrived', () => {
    const waiting = bracket({
      kind: 'OTOCO',
      units: null,
      orders: bracket().orders.map((one) => ({ ...one, status: 'WAITING' as const })),
    });
    expect(reduceOrders(waiting, fire('tp1', 1n)).writes).toEqual([]);
    const awake = run(waiting, { kind: 'awakened', units: 800n, at: 7, isFrozen: false });
    expect(unitsToGive(awake, found(awake, 'tp1'), 1_000n)).toBe(400n);
    expect(run(awake, { kind: 'units-corrected', units: 700n }).units).toBe(700n);
  });

  it('carries out a pause or a cancellation when the live fire has ended', () => {
    const busy = run(bracket(), fire('tp1', 500n));
    const wanted = reduceOrders(busy, { kind: 'cancelled', orderId: 'tp1', reason: 'person' });
    expect(wanted.effects).toEqual([{ kind: 'cancel-intent', intentId: 'i-tp1' }]);
    const panic: OrderEvent = { kind: 'paused', orderId: 'tp1', reason: 'panic' };
    expect(found(run(wanted.group, panic, voidOf('i-tp1')), 'tp1')).toMatchObject({
      status: 'CANCELLED',
      reason: 'person',
    });
    expect(found(run(wanted.group, settle('i-tp1', 500n)), 'tp1').status).toBe('FILLED');
    expect(found(run(busy, panic, voidOf('i-tp1')), 'tp1')).toMatchObject({
      status: 'PAUSED',
      reason: 'panic',
    });
    const costly: OrderEvent = {
      kind: 'voided',
      intentId: 'i-tp1',
      burntLamports: 5n,
      notBeforeSlot: null,
      pause: 'budget',
      reason: null,
      at: 7,
      progress: NO_PROGRESS,
    };
    expect(found(run(busy, costly), 'tp1')).toMatchObject({ status: 'PAUSED', reason: 'budget' });
  });

  it('takes an edit, a resumption or an expiry only where nothing is on its way, and forgets the windows', () => {
    const edit: OrderEvent = {
      kind: 'edited',
      at: 1,
      orderId: 'tp1',
      terms: { trigger: { got: 3n, given: 1n } },
    };
    const expiry: OrderEvent = { kind: 'expired', orderId: 'tp1' };
    const busy = run(bracket(), fire('tp1', 500n));
    for (const event of [edit, expiry]) {
      expect(reduceOrders(busy, event).writes).toEqual([]);
      expect(reduceOrders(bracket(), event).effects).toEqual([{ kind: 'forget-windows', orderId: 'tp1' }]);
    }
    expect(found(run(bracket(), edit), 'tp1')).toMatchObject({ version: 2, trigger: { got: 3n, given: 1n } });
    const expired = run(bracket(), expiry);
    expect(reduceOrders(expired, edit).writes).toEqual([]);
    expect(reduceOrders(expired, { kind: 'resumed', orderId: 'tp1', at: 7 }).writes).toEqual([]);
  });

  it('never sells more than was given, never twice, whatever comes in whatever order', () => {
    const ids = fc.constantFrom('tp1', 'tp2', 'sl');
    const requests = fc.array(
      fc.record({
        kind: fc.constantFrom(
          'fired',
          'fired',
          'fired',
          'settled',
          'voided',
          'paused',
          'resumed',
          'cancelled',
          'expired',
        ),
        id: ids,
        units: fc.bigInt(-10n, 1_100n),
        n: fc.integer({ min: 1, max: 4 }),
        isWhole: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(requests, (all) => {
        let group = bracket();
        const keys: string[] = [];
        const ended = new Map<string, string>();
        for (const { kind, id, units, n, isWhole } of all) {
          const before = group;
          // A fire has an intent of its own; an end may come late, for the one before.
          const nth = found(group, id).fires + (kind === 'fired' ? 1 : n > 2 ? -1 : 0);
          const intentId = `${id}-${nth}`;
          const bound = group.liveFires.find((live) => live.intentId === intentId)?.units ?? 500n;
          const event = {
            kind,
            orderId: id,
            intentId,
            units,
            slot: 100n,
            held: 1_000n,
            quoted: 1n,
            at: 7,
            given: bound,
            got: 1n,
            isWhole,
            burntLamports: 1n,
            notBeforeSlot: null,
            pause: null,
            progress: NO_PROGRESS,
            reason: 'person',
          } as OrderEvent;
          const next = reduceOrders(group, event);
          group = next.group;
          for (const effect of next.effects) {
            if (effect.kind === 'create-intent') keys.push(effect.idemKey);
            if (effect.kind !== 'end-fire') continue;
            expect(ended.has(intentId)).toBe(false);
            ended.set(intentId, effect.end.result);
          }
          const live = group.liveFires.reduce((sum, one) => sum + one.units, 0n);
          expect(group.sold + live).toBeLessThanOrEqual(1_000n);
          expect(new Set(group.liveFires.map(({ orderId }) => orderId)).size).toBe(group.liveFires.length);
          for (const one of group.orders) {
            const was = found(before, one.id);
            if (isClosed(was)) expect(one).toEqual(was);
            expect(one.version - was.version).toBe(
              next.writes.some(({ orderId }) => orderId === one.id) ? 1 : 0,
            );
            expect(one.status === 'TRIGGERED').toBe(
              group.liveFires.some(({ orderId }) => orderId === one.id),
            );
          }
        }
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
