import { describe, expect, it } from 'vitest';
import type { Order, OrderFire } from '../../../src/modules/orders/rules/order.ts';
import { NO_PROGRESS } from '../../../src/modules/orders/rules/order.ts';
import {
  type AskedFire,
  EXIT_TRIES_MS,
  judgeSealedFire,
} from '../../../src/modules/orders/rules/sealed-fire.ts';
import { TOKEN } from '../trading/build-pool.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function orderOf(more: Partial<Order>, terms: Partial<Order['terms']> = {}): Order {
  return {
    id: 'o',
    groupId: 'g',
    userId: 'u',
    number: 1,
    walletId: 'w',
    mint: TOKEN,
    side: 'sell',
    type: 'TAKE_PROFIT',
    status: 'OPEN',
    reason: null,
    version: 1,
    amount: { kind: 'fixed', units: 1_000n },
    filled: 0n,
    received: 0n,
    unit: 'SOL',
    trigger: { got: 2n, given: 1n },
    holdMs: 0,
    partial: true,
    fires: 0,
    burntLamports: 0n,
    notBeforeSlot: null,
    afterwards: null,
    progress: NO_PROGRESS,
    expiresAt: NOW + HOUR,
    createdAt: NOW,
    certificate: null,
    ...more,
    terms: {
      request: '',
      toleranceBps: 0,
      slippageBps: 500,
      tier: 'fast',
      floor: null,
      trailing: null,
      schedule: null,
      sellsOnExpiry: false,
      accepted: [],
      supply: null,
      depthLamports: null,
      grants: null,
      ...terms,
    },
  };
}

const ASKED: AskedFire = {
  side: 'sell',
  mint: TOKEN,
  tier: 'fast',
  units: 1_000n,
  quoted: 2_000n,
  minOut: 2_000n,
};
const judge = (order: Order, asked: Partial<AskedFire> = {}, fires: readonly OrderFire[] = [], now = NOW) =>
  judgeSealedFire(order, fires, { ...ASKED, ...asked }, now);

function fired(units: bigint, end: 'live' | 'voided' | bigint): OrderFire {
  const result = { at: NOW, got: 0n, burntLamports: 0n, reason: null };
  return {
    orderId: 'o',
    n: 1,
    intentId: 'i',
    groupId: 'g',
    units,
    slot: 1n,
    quoted: 1n,
    firedAt: NOW,
    end:
      end === 'live'
        ? null
        : end === 'voided'
          ? { ...result, result: 'voided', given: 0n }
          : { ...result, result: 'settled', given: end },
  };
}

describe('a fire within what was agreed', () => {
  it('is of the same side and token, at the priority of its order or the lowest', () => {
    const order = orderOf({});
    expect(judge(order)).toBeNull();
    expect(judge(order, { tier: 'economy' })).toBeNull();
    expect(judge(order, { tier: 'normal' })).toBe('trade');
    expect(judge(order, { side: 'buy' })).toBe('trade');
    expect(judge(order, { mint: 'other' })).toBe('trade');
  });

  it('ends with its order, or an hour later where the rest is sold then', () => {
    const [order, exits] = [orderOf({}), orderOf({}, { sellsOnExpiry: true })];
    const end = order.expiresAt;
    expect(judge(order, {}, [], end + MINUTE - 1)).toBeNull();
    expect(judge(order, {}, [], end + MINUTE)).toBe('over');
    expect(judge(exits, { minOut: 1_800n }, [], end + EXIT_TRIES_MS)).toBeNull();
    expect(judge(exits, { minOut: 1_800n }, [], end + EXIT_TRIES_MS + MINUTE)).toBe('over');
  });

  it('takes no unit more than others have left', () => {
    const order = orderOf({});
    expect(judge(order, { units: 1_001n, minOut: 9_999n })).toBe('units');
    expect(judge(order, { units: 0n })).toBe('units');
    const before = [fired(300n, 'live'), fired(500n, 200n), fired(400n, 'voided')];
    expect(judge(order, { units: 500n }, before)).toBeNull();
    expect(judge(order, { units: 501n, minOut: 9_999n }, before)).toBe('units');
    expect(
      judge(orderOf({ amount: { kind: 'rest' } }), { units: 10n ** 12n, minOut: 10n ** 13n }),
    ).toBeNull();
  });

  it('brings what its limit says, rounded up, less its tolerance', () => {
    const order = orderOf({ trigger: { got: 3n, given: 2n } });
    expect(judge(order, { units: 333n, minOut: 500n })).toBeNull();
    expect(judge(order, { units: 333n, minOut: 499n })).toBe('least');
    const lax = orderOf({ trigger: { got: 3n, given: 2n } }, { toleranceBps: 1_000 });
    expect(judge(lax, { units: 333n, minOut: 450n })).toBeNull();
    expect(judge(lax, { units: 333n, minOut: 449n })).toBe('least');
  });

  it.each(['STOP_LOSS', 'TRAILING_STOP'] as const)(
    'of a %s brings its floor, and a tenth less than quoted',
    (type) => {
      const order = orderOf({ type, trigger: null }, { floor: { got: 1n, given: 1n } });
      expect(judge(order, { quoted: 1_000n, minOut: 1_000n })).toBeNull();
      expect(judge(order, { quoted: 1_000n, minOut: 999n })).toBe('least');
      expect(judge(order, { quoted: 2_000n, minOut: 1_799n })).toBe('least');
      const any = orderOf({ type, trigger: null }, { floor: { got: 0n, given: 1n } });
      expect(judge(any, { quoted: 10n, minOut: 9n })).toBeNull();
      expect(judge(any, { quoted: 10n, minOut: 8n })).toBe('least');
    },
  );

  it('of a breakout is no dearer than agreed', () => {
    const order = orderOf({ side: 'buy', type: 'STOP_BUY' }, { toleranceBps: 2_500 });
    expect(judge(order, { side: 'buy', minOut: 1_600n })).toBeNull();
    expect(judge(order, { side: 'buy', minOut: 1_599n })).toBe('least');
  });

  it('that sells at its end brings the floor and no more is asked of its limit', () => {
    const order = orderOf({}, { sellsOnExpiry: true, floor: { got: 1n, given: 1n } });
    expect(judge(order, { quoted: 1_100n, minOut: 1_000n })).toBe('least');
    expect(judge(order, { quoted: 1_100n, minOut: 1_000n }, [], order.expiresAt)).toBeNull();
    expect(judge(order, { quoted: 1_100n, minOut: 999n }, [], order.expiresAt)).toBe('least');
  });

  it('in dollars is bounded by its amount alone', () => {
    expect(judge(orderOf({ unit: 'USD' }), { minOut: 1n })).toBeNull();
    expect(judge(orderOf({ unit: 'USD' }), { minOut: 1n, units: 1_001n })).toBe('units');
  });

  it('of rounds comes at its time, gives its part and lies within its band', () => {
    const schedule = {
      startAt: NOW,
      intervalMs: HOUR,
      rounds: 4,
      band: { least: { got: 1n, given: 1n }, most: null },
    };
    const order = orderOf({ type: 'DCA', trigger: null, expiresAt: NOW + 9 * HOUR }, { schedule });
    const round = { units: 250n, quoted: 400n, minOut: 380n };
    expect(judge(order, round)).toBeNull();
    expect(judge(order, round, [], NOW - 2 * MINUTE)).toBe('round');
    expect(judge(order, { ...round, units: 251n })).toBe('round');
    expect(judge(order, { ...round, minOut: 379n })).toBe('least');
    expect(judge(order, { ...round, quoted: 250n, minOut: 249n })).toBe('least');
    const second = [fired(250n, 250n)];
    expect(judge(order, round, second)).toBe('round');
    expect(judge(order, round, second, NOW + HOUR)).toBeNull();
    // One without effect was no round.
    expect(judge(order, round, [fired(250n, 'voided')])).toBeNull();
  });
});
