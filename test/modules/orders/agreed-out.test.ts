import { describe, expect, it } from 'vitest';
import { agreedOut } from '../../../src/modules/orders/rules/agreed-out.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';

const LOOK = { units: 1_000n, spot: { got: 10n, given: 1n }, impactBps: 100, solUsd: null, now: 0 };
const TERMS: Order['terms'] = {
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
};
const sale = (type: Order['type'], terms: Partial<Order['terms']> = {}) =>
  ({
    side: 'sell',
    type,
    unit: 'SOL',
    trigger: { got: 20n, given: 1n },
    terms: { ...TERMS, ...terms },
  }) as const;

describe('the least that a sale may bring', () => {
  it('is its limit, and the floor where it also sells at its end', () => {
    const floor = { got: 6n, given: 1n };
    expect(agreedOut(sale('TAKE_PROFIT', { floor }), LOOK)).toEqual({
      minOut: 20_000n,
      spotOut: 20_000n,
      leastOut: 20_000n,
    });
    expect(agreedOut(sale('TAKE_PROFIT', { floor, sellsOnExpiry: true }), LOOK)).toEqual({
      minOut: 20_000n,
      spotOut: 20_000n,
      leastOut: 6_000n,
    });
  });

  it('is nothing at its end without a floor', () => {
    expect(agreedOut(sale('TAKE_PROFIT', { sellsOnExpiry: true }), LOOK).leastOut).toBe(0n);
  });

  it('is never raised by a floor above the limit', () => {
    const floor = { got: 30n, given: 1n };
    expect(agreedOut(sale('TAKE_PROFIT', { floor, sellsOnExpiry: true }), LOOK).leastOut).toBe(20_000n);
  });

  it('of a stop is its floor, and its own minimum is fair', () => {
    const agreed = agreedOut(sale('STOP_LOSS', { floor: { got: 5n, given: 1n } }), LOOK);
    expect(agreed).toEqual({ minOut: 8_910n, spotOut: 10_000n, leastOut: 5_000n });
  });

  it('of a stop that trails is a quarter below its first threshold', () => {
    const trailing = { bps: 2_000, activation: null };
    expect(agreedOut(sale('TRAILING_STOP', { trailing }), LOOK).leastOut).toBe(6_000n);
    const floor = { got: 7n, given: 1n };
    expect(agreedOut(sale('TRAILING_STOP', { trailing, floor }), LOOK).leastOut).toBe(7_000n);
  });

  it('of a round is its band, and nothing without one', () => {
    const schedule = { startAt: 0, intervalMs: 60_000, rounds: 2, band: { least: null, most: null } };
    expect(agreedOut(sale('DCA', { schedule }), LOOK)).toEqual({
      minOut: 9_500n,
      spotOut: 10_000n,
      leastOut: 0n,
    });
    const banded = { ...schedule, band: { least: { got: 8n, given: 1n }, most: null } };
    expect(agreedOut(sale('DCA', { schedule: banded }), LOOK).leastOut).toBe(8_000n);
  });
});
