import { MAX_U64 } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../../src/core/amounts/bps.ts';
import { agreedOut, fairMinimum, firesFor } from '../../../../src/modules/orders/rules/agreed-out.ts';
import {
  ANY_PRICE,
  dearestRate,
  largestPart,
  leastPart,
  stopTerms,
} from '../../../../src/modules/orders/rules/fire-terms.ts';
import type { Order } from '../../../../src/modules/orders/rules/order.ts';
import { compareRates, type Rate } from '../../../../src/modules/orders/rules/rate.ts';
import {
  nextRound,
  readRhythm,
  roundAmount,
  SCHEDULE_START,
} from '../../../../src/modules/orders/rules/schedule.ts';

const rate = (got: bigint, given = 1n): Rate => ({ got, given });

describe('what the terms of a sale allow', () => {
  const LOOK = { units: 1_000n, spot: rate(10n), impactBps: 100, solUsd: null, now: 0 };
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
  const sale = (type: Order['type'], terms: Partial<Order['terms']> = {}, over: object = {}) =>
    ({
      side: 'sell',
      type,
      unit: 'SOL',
      trigger: rate(20n),
      terms: { ...TERMS, ...terms },
      ...over,
    }) as const;

  it('of a limit is less by its tolerance, and its price is the better of the trigger and of now', () => {
    const limit = agreedOut(sale('LIMIT', { toleranceBps: 1_000 }), LOOK);
    expect(limit).toEqual({ minOut: 18_000n, leastOut: 18_000n, spotOut: 20_000n });
    expect(agreedOut(sale('LIMIT'), { ...LOOK, spot: rate(30n) }).spotOut).toBe(30_000n);
    expect(agreedOut(sale('LIMIT', {}, { trigger: null }), LOOK)).toEqual({
      minOut: 0n,
      leastOut: 0n,
      spotOut: MAX_U64,
    });
  });

  it('in dollars is turned to SOL by the price of now, and nothing is known by an old one', () => {
    const solUsd = { micros: 2n, lamports: 1n, at: 0 };
    const look = { ...LOOK, solUsd };
    const dollars = sale('LIMIT', {}, { unit: 'USD' });
    expect(agreedOut(dollars, look)).toEqual({ minOut: 10_000n, leastOut: 10_000n, spotOut: 10_000n });
    expect(agreedOut(dollars, { ...look, now: 30_001 })).toEqual({
      minOut: 0n,
      leastOut: 0n,
      spotOut: MAX_U64,
    });
  });

  it('of a stop takes the price of then, after its own impact, which is never below nothing', () => {
    expect(agreedOut(sale('STOP_LOSS'), LOOK)).toEqual({ minOut: 8_910n, spotOut: 10_000n, leastOut: 0n });
    expect(agreedOut(sale('STOP_BUY'), LOOK)).toMatchObject({ minOut: 8_910n });
    expect(agreedOut(sale('STOP_LOSS'), { ...LOOK, impactBps: 10_001 })).toMatchObject({ minOut: 0n });
    // A size that is steep by itself is raised to the fair minimum, as far as its quote goes.
    expect(agreedOut(sale('STOP_LOSS'), { ...LOOK, impactBps: 1_000 })).toMatchObject({ minOut: 8_500n });
    expect(agreedOut(sale('STOP_LOSS'), { ...LOOK, impactBps: 2_000 })).toMatchObject({ minOut: 8_000n });
  });

  it('of a stop that trails without a distance is a quarter below the price of now', () => {
    expect(agreedOut(sale('TRAILING_STOP'), LOOK)).toEqual({
      minOut: 8_910n,
      spotOut: 10_000n,
      leastOut: 7_500n,
    });
  });

  it('of a schedule that lost its band is nothing', () => {
    expect(agreedOut(sale('DCA'), LOOK).leastOut).toBe(0n);
  });

  it('without a grant is raised to the fair minimum, of a sale and not of a purchase', () => {
    expect(fairMinimum({ minOut: 1n, quotedOut: 900n, spotOut: 1_000n })).toBe(850n);
    expect(fairMinimum({ minOut: 860n, quotedOut: 900n, spotOut: 1_000n })).toBe(860n);
    expect(fairMinimum({ minOut: 1n, quotedOut: 800n, spotOut: 1_000n })).toBe(800n);
    const quote = { quotedOut: 900n, priceImpactBps: 1_000 };
    const grants = (steep: boolean) => ({ ...TERMS, grants: { steep, doubts: [], lockEpoch: 0, until: 9 } });
    expect(firesFor({ side: 'sell', terms: TERMS }, quote, 1n)).toBe(850n);
    expect(firesFor({ side: 'sell', terms: { ...TERMS, grants: null } }, quote, 1n)).toBe(850n);
    expect(firesFor({ side: 'sell', terms: grants(false) }, quote, 1n)).toBe(850n);
    expect(firesFor({ side: 'sell', terms: grants(true) }, quote, 1n)).toBe(1n);
    expect(firesFor({ side: 'buy', terms: TERMS }, quote, 1n)).toBe(1n);
  });
});

describe('the terms of a fire', () => {
  it('of a purchase may cost its tolerance more', () => {
    expect(compareRates(dearestRate(rate(11n, 10n), bps(1_000)), rate(1n))).toBe(0);
  });

  it('of a stop at any price keep the tenth under its quote', () => {
    for (const floor of [null, ANY_PRICE])
      expect(stopTerms(floor, 5n, 100n)).toEqual({ kind: 'fire', minimumOut: 90n });
    expect(stopTerms(null, 5n, 0n)).toEqual({ kind: 'fire', minimumOut: 0n });
  });

  it('of a part that nothing is worth are the whole', () => {
    expect(leastPart(100n, 60n, rate(0n))).toBe(60n);
    expect(leastPart(10n ** 9n, 10n ** 8n, rate(1n))).toBe(10n ** 8n);
    expect(leastPart(10n ** 9n, 10n ** 9n, rate(1n))).toBe(2n * 10n ** 8n);
  });

  it('give the whole where it meets the limit, and never less than the least', () => {
    const limit = rate(1n);
    const asked: bigint[] = [];
    const upTo = (most: bigint) => (units: bigint) => {
      asked.push(units);
      return units <= most ? units : units - 1n;
    };
    expect(largestPart(100n, 20n, limit, upTo(100n))).toEqual({ units: 100n, quoted: 100n });
    expect(asked).toEqual([100n]);
    expect(largestPart(100n, 20n, limit, upTo(19n))).toBeNull();
    expect(largestPart(100n, 100n, limit, upTo(50n))).toBeNull();
    expect(largestPart(100n, 20n, limit, upTo(20n))).toEqual({ units: 20n, quoted: 20n });
    expect(largestPart(100n, 20n, limit, upTo(99n))).toEqual({ units: 98n, quoted: 98n });
    asked.length = 0;
    // Between 3 and 4 there is nothing to try.
    expect(largestPart(4n, 3n, limit, upTo(3n))).toEqual({ units: 3n, quoted: 3n });
    expect(asked).toEqual([4n, 3n]);
    expect(largestPart(100n, 20n, limit, () => null)).toBeNull();
    // What brings nothing meets no limit, however low.
    expect(largestPart(100n, 20n, ANY_PRICE, () => 0n)).toBeNull();
  });
});

describe('the rounds of a schedule', () => {
  const HOUR = 3_600_000;
  const schedule = { startAt: 1_000, intervalMs: HOUR, rounds: 3, total: 10n };
  const at = (slot: number, done: number, missed = 0) => ({ slot, done, missed });

  it('wait, are due for half an interval, and are missed from its end on', () => {
    expect(nextRound(schedule, SCHEDULE_START, 999)).toEqual({ kind: 'wait', until: 1_000 });
    const due = { kind: 'due', round: 1, until: 1_000 + HOUR / 2 };
    expect(nextRound(schedule, SCHEDULE_START, 1_000)).toEqual(due);
    expect(nextRound(schedule, SCHEDULE_START, 999 + HOUR / 2)).toEqual(due);
    const missed = (count: number) => ({ kind: 'missed', count, progress: at(count, 0, count) });
    expect(nextRound(schedule, SCHEDULE_START, 1_000 + HOUR / 2)).toEqual(missed(1));
    expect(nextRound(schedule, SCHEDULE_START, 999 + 1.5 * HOUR)).toEqual(missed(1));
    expect(nextRound(schedule, SCHEDULE_START, 1_000 + 1.5 * HOUR)).toEqual(missed(2));
    expect(nextRound(schedule, at(4, 1, 3), 1_000 + 4 * HOUR)).toMatchObject({ kind: 'due', round: 2 });
    expect(nextRound(schedule, at(4, 1, 3), 1_000 + 5 * HOUR)).toEqual({
      kind: 'missed',
      count: 1,
      progress: at(5, 1, 4),
    });
    expect(nextRound(schedule, at(9, 3), 0)).toEqual({ kind: 'finished' });
  });

  it('give their part, share what was changed, and the last one takes what is left', () => {
    expect([0, 1, 2].map((done) => roundAmount(schedule, done, 3n * BigInt(done)))).toEqual([3n, 3n, 4n]);
    // Another total: two rounds share the seven that are left.
    expect(roundAmount({ ...schedule, total: 9n }, 1, 2n)).toBe(3n);
    expect(roundAmount({ ...schedule, total: 11n }, 1, 4n)).toBe(3n);
    expect(roundAmount(schedule, 1, 9n)).toBe(1n);
    expect(roundAmount(schedule, 1, 11n)).toBe(0n);
    expect(roundAmount(schedule, 3, 8n)).toBe(2n);
    expect(roundAmount(schedule, 1, 8n)).toBe(1n);
  });

  it('are read with any of three signs, in digits of any script, and not beyond four and five digits', () => {
    expect(readRhythm('٣ x ٢h')).toEqual({ rounds: 3, intervalMs: 2 * HOUR });
    expect(readRhythm('9999x99999m')).toEqual({ rounds: 9_999, intervalMs: 99_999 * 60_000 });
    for (const text of ['10000x1h', '1x100000m', 'a2x1h', '2x1ha', '2x1hh', '2xx1h'])
      expect(readRhythm(text), text).toBeNull();
  });
});
