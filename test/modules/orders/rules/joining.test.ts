import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  isStop,
  judgeJoin,
  positionGroup,
  standingStops,
} from '../../../../src/modules/orders/rules/join-position.ts';
import {
  NO_PROGRESS,
  ORDER_TYPES,
  type Order,
  type OrderGroup,
} from '../../../../src/modules/orders/rules/order.ts';
import { parentOrderKey, parentOrderOf } from '../../../../src/modules/orders/rules/order-child.ts';
import {
  decodeOrderNotice,
  encodeOrderNotice,
  ORDER_EVENTS,
} from '../../../../src/modules/orders/rules/order-notice.ts';
import { judgeLegs } from '../../../../src/modules/orders/rules/placement.ts';
import type { Rate } from '../../../../src/modules/orders/rules/rate.ts';

const rate = (got: bigint, given = 100n): Rate => ({ got, given });

function order(id: string, over: Partial<Order> = {}): Order {
  return {
    id,
    groupId: 'g',
    userId: 'u',
    number: Number(id.slice(1)),
    walletId: 'main',
    mint: 'So11111111111111111111111111111111111111112' as Address,
    side: 'sell',
    type: 'STOP_LOSS',
    status: 'OPEN',
    reason: null,
    version: 1,
    amount: { kind: 'rest' },
    filled: 0n,
    received: 0n,
    unit: 'SOL',
    trigger: rate(70n),
    holdMs: 0,
    partial: false,
    fires: 0,
    burntLamports: 0n,
    certificate: null,
    notBeforeSlot: null,
    afterwards: null,
    terms: {
      request: '-30%',
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
  };
}
const group = (orders: readonly Order[], over: Partial<OrderGroup> = {}): OrderGroup => ({
  id: 'g',
  userId: 'u',
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  placeKey: 'k',
  parentIntentId: null,
  createdAt: 0,
  kind: 'OCO',
  units: null,
  sold: 0n,
  liveFires: [],
  orders,
  ...over,
});
const gain = (id: string, bps: number, over: Partial<Order> = {}): Order =>
  order(id, { type: 'TAKE_PROFIT', amount: { kind: 'share', bps }, trigger: rate(200n), ...over });
const GAIN = { type: 'TAKE_PROFIT', unit: 'SOL', shareBps: 5_000, trigger: rate(200n) } as const;
const STOP = { type: 'STOP_LOSS', unit: 'SOL', shareBps: null, trigger: rate(70n) } as const;

describe('an exit that joins those of a position', () => {
  it('goes to the newest group of the position, and to none that has units of its own', () => {
    const [first, second] = [group([], { id: 'first' }), group([], { id: 'second' })];
    const own = group([], { id: 'own', units: 5n });
    const waiting = group([], { id: 'waiting', parentIntentId: 'i' });
    expect(positionGroup([first, second, own, waiting])?.id).toBe('second');
    expect(positionGroup([own, waiting])).toBeNull();
  });

  it('meets the stops that sell the rest: neither closed ones, nor those that wait, nor gains', () => {
    const exits = [
      group([order('o1'), gain('o2', 100), order('o3', { status: 'CANCELLED' })]),
      group([order('o4', { status: 'WAITING' }), order('o5', { status: 'PAUSED', type: 'TRAILING_STOP' })]),
    ];
    expect(standingStops(exits).map(({ id }) => id)).toEqual(['o1', 'o5']);
    expect(ORDER_TYPES.filter((type) => isStop({ type }))).toEqual(['STOP_LOSS', 'TRAILING_STOP']);
  });

  it('is refused as a second stop unless it replaces each one, and while one sells', () => {
    const exits = [group([order('o1'), order('o2')])];
    expect(judgeJoin(exits, [STOP], [])).toEqual({
      kind: 'stop-stands',
      numbers: [1, 2],
      ids: ['o1', 'o2'],
    });
    expect(judgeJoin(exits, [STOP], ['o1'])).toMatchObject({ kind: 'stop-stands' });
    expect(judgeJoin(exits, [STOP], ['o1', 'o2'])).toBeNull();
    const fires = [group([order('o1'), order('o7', { status: 'TRIGGERED' })])];
    expect(judgeJoin(fires, [STOP], ['o1', 'o7'])).toEqual({ kind: 'stop-fires', number: 7 });
    // A gain meets no stop.
    expect(judgeJoin(fires, [GAIN], [])).toBeNull();
    expect(judgeJoin([], [STOP], [])).toBeNull();
  });

  it('counts its share with those that are open in the group, not with those that are over', () => {
    const open = [group([gain('o1', 6_000), gain('o2', 5_000, { status: 'FILLED' })])];
    expect(judgeJoin(open, [{ ...GAIN, shareBps: 4_000 }], [])).toBeNull();
    expect(judgeJoin(open, [{ ...GAIN, shareBps: 4_001 }], [])).toEqual({
      kind: 'legs-invalid',
      reason: 'shares-over-whole',
    });
    // The stop that it replaces bounds it no more; one that stays does.
    const bounded = [group([order('o1', { trigger: rate(300n) })])];
    expect(judgeJoin(bounded, [GAIN], [])).toMatchObject({ reason: 'take-profit-below-stop' });
    expect(judgeJoin(bounded, [GAIN, STOP], ['o1'])).toBeNull();
    // A fixed amount takes no share.
    const fixed = [group([gain('o1', 0, { amount: { kind: 'fixed', units: 5n } })])];
    expect(judgeJoin(fixed, [{ ...GAIN, shareBps: 10_000 }], [])).toBeNull();
  });
});

describe('legs of one group', () => {
  it('are one to ten, and their shares whole hundredths of a percent', () => {
    expect(judgeLegs(Array.from({ length: 10 }, () => STOP))).toBeNull();
    expect(judgeLegs(Array.from({ length: 11 }, () => STOP))).toEqual({
      kind: 'legs-invalid',
      reason: 'too-many',
    });
    expect(judgeLegs([])).toEqual({ kind: 'legs-invalid', reason: 'none' });
    expect(judgeLegs([STOP, { ...STOP, shareBps: 0 }])).toMatchObject({ reason: 'shares-over-whole' });
    for (const shareBps of [0, -1, 1.5, 10_001])
      expect(judgeLegs([{ ...GAIN, shareBps }]), `${shareBps}`).toEqual({
        kind: 'legs-invalid',
        reason: 'shares-over-whole',
      });
    for (const shareBps of [1, 10_000]) expect(judgeLegs([{ ...GAIN, shareBps }])).toBeNull();
    // The share of a stop counts for no gain.
    expect(
      judgeLegs([
        { ...GAIN, shareBps: 10_000 },
        { ...STOP, shareBps: 5_000 },
      ]),
    ).toBeNull();
  });

  it('cross where a gain lies at a stop or below it, in one unit alone', () => {
    const crossed = { kind: 'legs-invalid', reason: 'take-profit-below-stop' };
    expect(judgeLegs([{ ...GAIN, trigger: rate(69n) }, STOP])).toMatchObject(crossed);
    expect(judgeLegs([{ ...GAIN, trigger: rate(71n) }, STOP])).toBeNull();
    expect(judgeLegs([{ ...GAIN, unit: 'USD', trigger: rate(69n) }, STOP])).toBeNull();
    expect(judgeLegs([{ ...GAIN, trigger: null }, STOP])).toBeNull();
    expect(judgeLegs([GAIN, { ...STOP, type: 'TRAILING_STOP', trigger: null }])).toBeNull();
    expect(judgeLegs([GAIN, { ...GAIN, trigger: rate(60n) }])).toBeNull();
  });
});

describe('what names an order', () => {
  it('as a parent is read back, and is no name of an intent', () => {
    expect(parentOrderKey('01A')).toBe('order:01A');
    expect(parentOrderOf('order:01A')).toBe('01A');
    expect(parentOrderOf('01A')).toBeNull();
    expect(parentOrderOf(null)).toBeNull();
  });

  it.each(ORDER_EVENTS)('in a notice is read back: %s', (event) => {
    for (const code of [null, 'SLIPPAGE']) {
      const notice = { orderId: 'o', event, code, n: 2 };
      expect(encodeOrderNotice(notice)).toEqual(notice);
      expect(decodeOrderNotice(encodeOrderNotice(notice))).toEqual(notice);
    }
  });

  it('is refused where a field of its notice is none', () => {
    const notice = { orderId: 'o', event: 'fired', code: null, n: 2 };
    for (const broken of [{ event: 'sold' }, { orderId: 1 }, { code: 2 }, { n: 'x' }])
      expect(() => decodeOrderNotice({ ...notice, ...broken })).toThrow(
        new RegExp(`notice.*${Object.keys(broken)[0]}`),
      );
    expect([...ORDER_EVENTS]).toEqual([
      'fired',
      'voided',
      'held-back',
      'paused',
      'cancelled',
      'ending',
      'expired',
      'missed',
      'blind',
      'dev-moved',
    ]);
  });
});
