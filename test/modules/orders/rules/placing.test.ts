import { describe, expect, it } from 'vitest';
import { ORDER_TYPES } from '../../../../src/modules/orders/rules/order.ts';
import {
  judgePlacement,
  type PlacementRequest,
  placementWarnings,
  priceOf,
  priceOfCap,
  pricePerUnit,
  readPrice,
  relativePrice,
  triggerOf,
} from '../../../../src/modules/orders/rules/placement.ts';
import { compareRates, leastGot, type Rate } from '../../../../src/modules/orders/rules/rate.ts';
import { directionOf, isTrue, rateIn, rateInSol } from '../../../../src/modules/orders/rules/trigger.ts';

const DAY = 86_400_000;
const rate = (got: bigint, given = 100n): Rate => ({ got, given });

describe('a price that somebody types', () => {
  it('may have signs, spaces, a comma and small letters', () => {
    expect(readPrice(' +20% ')).toEqual({ kind: 'percent', digits: 20n, scale: 0 });
    expect(readPrice('−20,5 %')).toEqual({ kind: 'percent', digits: -205n, scale: 1 });
    expect(readPrice('-99.9%')).toEqual({ kind: 'percent', digits: -999n, scale: 1 });
    expect(readPrice('12.3456%')).toEqual({ kind: 'percent', digits: 123_456n, scale: 4 });
    expect(readPrice('100%')).toEqual({ kind: 'percent', digits: 100n, scale: 0 });
    expect(readPrice('120.25x')).toEqual({ kind: 'multiple', digits: 12_025n, scale: 2 });
    expect(readPrice('1.25M')).toEqual({ kind: 'cap', digits: 125_000_000n, scale: 2 });
    expect(readPrice('$12.00042')).toEqual({ kind: 'USD', digits: 1_200_042n, scale: 5 });
    expect(readPrice('125')).toEqual({ kind: 'SOL', digits: 125n, scale: 0 });
    expect(readPrice('3X')).toEqual({ kind: 'multiple', digits: 3n, scale: 0 });
    expect(readPrice('2 x')).toEqual({ kind: 'multiple', digits: 2n, scale: 0 });
    expect(readPrice('0.5 sol')).toEqual({ kind: 'SOL', digits: 5n, scale: 1 });
    expect(readPrice('0.5SOL')).toEqual({ kind: 'SOL', digits: 5n, scale: 1 });
    expect(readPrice('$1.5m')).toEqual({ kind: 'cap', digits: 15_000_000n, scale: 1 });
    expect(readPrice('2 B')).toEqual({ kind: 'cap', digits: 2_000_000_000n, scale: 0 });
    expect(readPrice('7k')).toEqual({ kind: 'cap', digits: 7_000n, scale: 0 });
    // Digits of another script are digits.
    expect(readPrice('٢x')).toEqual({ kind: 'multiple', digits: 2n, scale: 0 });
  });

  it.each([
    '-100.0%',
    '-100.1%',
    '20%%',
    'x20%',
    '20%x',
    '2xx',
    'a2x',
    '1234567x',
    '1234567%',
    '0.00005%',
    '0.00005x',
    '$',
    '$1SOL',
    'SOL 1',
    '1 SOLS',
    'b1K',
    '1KK',
    '1234567890123',
    '$1234567890123',
    '1234567890123K',
    '0.1234567890123456789',
    '$0.1234567890123456789',
    '$$1',
  ])('is refused: %s', (text) => {
    expect(readPrice(text)).toEqual({ kind: 'price-invalid' });
  });

  it('is of a whole token, and exact for its smallest unit', () => {
    const of = (kind: 'SOL' | 'USD') => pricePerUnit({ kind, digits: 25n, scale: 1 }, 6);
    expect(compareRates(of('SOL'), { got: 2_500n, given: 1n })).toBe(0);
    expect(compareRates(of('USD'), { got: 25n, given: 10n })).toBe(0);
    const half = relativePrice(rate(100n), { kind: 'percent', digits: -505n, scale: 1 });
    expect(compareRates(half, { got: 495n, given: 1_000n })).toBe(0);
  });

  it('of a cap is shared by the supply of now, with all its digits', () => {
    expect(priceOfCap({ kind: 'cap', digits: 125n, scale: 2 }, 10n)).toEqual({ got: 125n, given: 1_000n });
    for (const digits of [0n, -1n])
      expect(priceOfCap({ kind: 'cap', digits, scale: 0 }, 10n)).toEqual({ kind: 'cap-invalid' });
    expect(priceOfCap({ kind: 'cap', digits: 1n, scale: 0 }, -1n)).toEqual({ kind: 'supply-zero' });
  });

  it('is turned round for a buyer, and back', () => {
    expect(triggerOf('sell', { got: 2n, given: 3n })).toEqual({ got: 2n, given: 3n });
    expect(triggerOf('buy', { got: 2n, given: 3n })).toEqual({ got: 3n, given: 2n });
    expect(priceOf('buy', triggerOf('buy', { got: 2n, given: 3n }))).toEqual({ got: 2n, given: 3n });
    expect(() => triggerOf('sell', { got: 0n, given: 1n })).toThrow('a price above zero');
    expect(() => triggerOf('buy', { got: -1n, given: 1n })).toThrow(RangeError);
  });
});

describe('an order that is placed', () => {
  const request = (over: Partial<PlacementRequest> = {}): PlacementRequest => ({
    side: 'sell',
    type: 'STOP_LOSS',
    isMintSol: false,
    decimals: 9,
    toleranceBps: 0,
    amount: 1_000n,
    worthLamports: 10_000_000n,
    supply: 1_000n,
    trigger: rate(70n),
    floor: null,
    now: { rate: rate(100n), got: 9n, impactBps: 100, depth: 100_000n },
    trailingBps: null,
    schedule: null,
    placedAt: 1_000,
    expiresAt: 1_000 + 7 * DAY,
    open: { onToken: 19, ofPerson: 99 },
    ...over,
  });
  const judge = (over: Partial<PlacementRequest>) => judgePlacement(request(over));

  it('is refused with the numbers that it would have to keep', () => {
    expect(judge({ amount: -1n })).toEqual({ kind: 'amount-invalid' });
    expect(judge({ amount: 2n ** 64n - 1n, supply: 2n ** 65n })).toBeNull();
    expect(judge({ amount: 1_001n })).toEqual({ kind: 'amount-over-supply', supply: 1_000n });
    expect(judge({ worthLamports: 1n })).toEqual({ kind: 'too-small', minimumLamports: 10_000_000n });
    expect(judge({ expiresAt: 999 })).toEqual({ kind: 'expiry-out-of-range', maxMs: 30 * DAY });
    expect(judge({ open: { onToken: 20, ofPerson: 0 } })).toEqual({
      kind: 'too-many-orders',
      max: 20,
      per: 'token',
    });
    expect(judge({ open: { onToken: 0, ofPerson: 100 } })).toEqual({
      kind: 'too-many-orders',
      max: 100,
      per: 'person',
    });
    const tolerance = { kind: 'tolerance-out-of-range', maxBps: 5_000 };
    for (const toleranceBps of [-1, 0.5, 5_001]) expect(judge({ toleranceBps })).toEqual(tolerance);
    expect(judge({ toleranceBps: 5_000 })).toBeNull();
    const trail = { type: 'TRAILING_STOP', trigger: null } as const;
    const range = { kind: 'trail-out-of-range', minBps: 100, maxBps: 9_000 };
    for (const trailingBps of [null, 99, 9_001, 100.5])
      expect(judge({ ...trail, trailingBps })).toEqual(range);
    for (const trailingBps of [100, 9_000]) expect(judge({ ...trail, trailingBps })).toBeNull();
    expect(judge({ trigger: rate(100n) })).toEqual({
      kind: 'already-true',
      side: 'sell',
      decimals: 9,
      wouldGet: 9n,
    });
    expect(judge({ trigger: rate(70n, 0n) })).toEqual({ kind: 'price-invalid' });
  });

  it('takes a floor at its trigger, and none above it', () => {
    expect(judge({ floor: rate(70n) })).toBeNull();
    expect(judge({ floor: rate(71n) })).toEqual({ kind: 'floor-above-trigger' });
  });

  it('buys with an impact of half at most, and a sale goes however deep it falls', () => {
    const now = { rate: rate(100n), got: 9n, impactBps: 5_000, depth: 100_000n };
    const buy = { side: 'buy', type: 'STOP_BUY', amount: 1_000_000n } as const;
    expect(judge({ ...buy, now })).toBeNull();
    expect(judge({ ...buy, now: { ...now, impactBps: 5_001 } })).toEqual({
      kind: 'impact-too-high',
      impactBps: 5_001,
      maxBps: 5_000,
    });
    expect(judge({ ...buy, now: null })).toBeNull();
  });

  it('is placed with a warning beyond 5 % of impact, 20 % of the depth, and a trail within twice its impact', () => {
    const now = { rate: rate(100n), got: 9n, impactBps: 500, depth: 5_000n };
    const warn = (over: Partial<PlacementRequest>) => placementWarnings(request(over));
    expect(warn({ now, trailingBps: 1_000 })).toEqual([]);
    expect(warn({ now: { ...now, impactBps: 501 } })).toEqual([{ kind: 'impact', impactBps: 501 }]);
    expect(warn({ now: { ...now, depth: 4_997n } })).toEqual([{ kind: 'depth-share', bps: 2_001 }]);
    expect(warn({ now: { ...now, depth: 0n } })).toEqual([{ kind: 'depth-share', bps: 10_000 }]);
    expect(warn({ now, trailingBps: 999 })).toEqual([{ kind: 'trail-within-impact', impactBps: 500 }]);
    expect(warn({ now: null, trailingBps: 1 })).toEqual([]);
  });
});

describe('a trigger', () => {
  it('rises or falls by the type of its order; a schedule and an event have none', () => {
    expect(ORDER_TYPES.map(directionOf)).toEqual(['RISE', 'RISE', 'FALL', 'FALL', 'FALL', null, null, null]);
  });

  it('is met at its own price and beyond it', () => {
    const at = [69n, 70n, 71n].map((got) => rate(got));
    expect(at.map((now) => isTrue('RISE', rate(70n), now))).toEqual([false, true, true]);
    expect(at.map((now) => isTrue('FALL', rate(70n), now))).toEqual([true, true, false]);
  });

  it('in dollars is the same in SOL and back, and neither by an old price of SOL', () => {
    const sol = { micros: 150n, lamports: 7n, at: 1_000 };
    for (const side of ['buy', 'sell'] as const) {
      const inDollars = rateIn('USD', side, rate(3n), sol, 1_000);
      const back = inDollars === null ? null : rateInSol('USD', side, inDollars, sol, 1_000);
      expect(back === null ? null : compareRates(back, rate(3n))).toBe(0);
      expect(rateInSol('USD', side, rate(3n), sol, 31_001)).toBeNull();
      expect(rateInSol('USD', side, rate(3n), null, 1_000)).toBeNull();
      expect(rateInSol('SOL', side, rate(3n), sol, 99_000)).toEqual(rate(3n));
    }
  });

  it('brings at least what its rate gives, rounded up', () => {
    expect([leastGot({ got: 1n, given: 3n }, 3n), leastGot({ got: 1n, given: 3n }, 4n)]).toEqual([1n, 2n]);
  });
});
