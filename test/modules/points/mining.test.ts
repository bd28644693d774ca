import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Miner, mine, newMiner, rested } from '../../../src/modules/points/rules/mining.ts';
import {
  POINT_RULES,
  type PointRules,
  pointsForIntent,
  rulesAt,
} from '../../../src/modules/points/rules/rules.ts';
import { periodAt } from '../../../src/modules/points/rules/utc.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const rules = POINT_RULES[0];
const fresh = (now = NOW): Miner => newMiner({ telegramId: 7n, userId: 'u', now, rules });

/** Taps at the given times; what each gave. */
function taps(
  times: readonly number[],
  start = fresh(),
): { readonly gave: readonly number[]; readonly miner: Miner } {
  let miner = start;
  const gave = times.map((now) => {
    const tapped = mine(miner, now, rules);
    miner = tapped.miner;
    return tapped.result.kind === 'mined' ? tapped.result.points : 0;
  });
  return { gave, miner };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const everySecond = (count: number, from = NOW) => Array.from({ length: count }, (_, i) => from + i * 1_000);

describe('mining', () => {
  it('gives ten points a tap until the energy is gone, then one tap per 24 minutes', () => {
    const { gave, miner } = taps(everySecond(12));
    expect(gave).toEqual([...Array(10).fill(10), 0, 0]);
    const early = mine(miner, NOW + 24 * 60_000 - 1, rules).result;
    expect(early).toEqual({ kind: 'no-energy', moreAt: NOW + 24 * 60_000 });
    expect(mine(miner, NOW + 24 * 60_000, rules).result).toEqual({ kind: 'mined', points: 10 });
  });

  it('loses no part of a refill, however often somebody looks', () => {
    const { miner } = taps(everySecond(10));
    let looked = miner;
    for (let ms = 0; ms <= 3 * HOUR; ms += 7_919) looked = rested(looked, NOW + ms, rules);
    expect(rested(looked, NOW + 3 * HOUR, rules).energy).toBe(rested(miner, NOW + 3 * HOUR, rules).energy);
    expect(rested(miner, NOW + 100 * HOUR, rules).energy).toBe(rules.mining.energyMax);
  });

  it('never gives more than the day’s cap, and starts anew at midnight UTC', () => {
    const rich: PointRules = { ...rules, mining: { ...rules.mining, energyMax: 1_000, dailyCap: 45 } };
    let miner = newMiner({ telegramId: 7n, userId: 'u', now: NOW, rules: rich });
    const given: number[] = [];
    for (const now of everySecond(8)) {
      const tapped = mine(miner, now, rich);
      miner = tapped.miner;
      given.push(tapped.result.kind === 'mined' ? tapped.result.points : 0);
    }
    expect(given).toEqual([10, 10, 10, 10, 5, 0, 0, 0]);
    expect(mine(miner, NOW + HOUR, rich).result).toEqual({ kind: 'day-full', moreAt: NOW + 12 * HOUR });
    expect(mine(miner, NOW + 12 * HOUR, rich).result.kind).toBe('mined');
  });

  it('gives nothing for taps that no thumb makes, and counts them', () => {
    const { gave, miner } = taps([NOW, NOW + 20, NOW + 40, NOW + 60, NOW + 400]);
    expect(gave).toEqual([10, 0, 0, 0, 10]);
    expect(miner.fastTaps).toBe(3);
  });

  it('never refills when the clock goes back, and does not give the day again', () => {
    const { miner } = taps(everySecond(10));
    for (const back of [1, HOUR, DAY, 400 * DAY]) {
      const before = rested(miner, NOW - back, rules);
      expect(before.energy).toBe(0);
      expect(before.minedToday).toBe(100);
      expect(before.energyAt).toBe(miner.energyAt);
      expect(mine(miner, NOW - back, rules).result.kind).toBe('no-energy');
    }
    // Back and forth: the same hour is not refilled twice.
    const forth = rested(rested(rested(miner, NOW + HOUR, rules), NOW - DAY, rules), NOW + HOUR, rules);
    expect(forth.energy).toBe(rested(miner, NOW + HOUR, rules).energy);
  });

  it('counts days in a row by taps that gave something, and begins again after a missed day', () => {
    let miner = fresh();
    const streaks = [0, 1, 2, 4].map((day) => {
      miner = mine(miner, NOW + day * DAY, rules).miner;
      return miner.streak;
    });
    expect(streaks).toEqual([1, 2, 3, 1]);
    expect(rested(miner, NOW + 5 * DAY, rules).streak).toBe(1);
    expect(rested(miner, NOW + 6 * DAY, rules).streak).toBe(0);
  });

  it('keeps every bound under any sequence of taps and clocks', () => {
    const step = fc.integer({ min: -3 * DAY, max: 2 * DAY });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(step, fc.integer({ min: 0, max: 5_000 })), { maxLength: 80 }),
        (steps) => {
          let now = NOW;
          let miner = fresh();
          let highest = NOW;
          let given = 0;
          const perDay = new Map<number, number>();
          for (const ms of steps) {
            now += ms;
            highest = Math.max(highest, now);
            const tapped = mine(miner, now, rules);
            const { result } = tapped;
            expect(tapped.miner.energy).toBeGreaterThanOrEqual(0);
            expect(tapped.miner.energyAt).toBeGreaterThanOrEqual(miner.energyAt);
            expect(tapped.miner.day).toBeGreaterThanOrEqual(miner.day);
            miner = tapped.miner;
            const points = result.kind === 'mined' ? result.points : 0;
            given += points;
            perDay.set(miner.day, (perDay.get(miner.day) ?? 0) + points);
          }
          expect(Math.max(0, ...perDay.values())).toBeLessThanOrEqual(rules.mining.dailyCap);
          const refilled = Math.floor(((highest - NOW) * rules.mining.refillPerHour) / HOUR);
          expect(given).toBeLessThanOrEqual(rules.mining.energyMax + refilled);
          expect(sum([...perDay.values()])).toBe(given);
        },
      ),
    );
  });
});

describe('the rules', () => {
  it('are those of the date, and the first ones before all dates', () => {
    const later = { ...rules, version: 2, from: NOW };
    expect(rulesAt(NOW - 1, [rules, later]).version).toBe(1);
    expect(rulesAt(NOW, [rules, later]).version).toBe(2);
    expect(rulesAt(0, [rules, later]).version).toBe(1);
  });

  it('give one point per 0.0001 SOL of fee, rounded down, and a fixed number per token', () => {
    expect(pointsForIntent(rules, 'buy', 5_099_999n)).toEqual({ byFee: 50n, byKind: 0n });
    expect(pointsForIntent(rules, 'sell', 99_999n)).toEqual({ byFee: 0n, byKind: 0n });
    expect(pointsForIntent(rules, 'create-token', 20_000_000n)).toEqual({ byFee: 0n, byKind: 200n });
    expect(pointsForIntent(rules, 'withdraw-sol', 20_000_000n)).toEqual({ byFee: 0n, byKind: 0n });
    expect(pointsForIntent(rules, 'buy', -1n)).toEqual({ byFee: 0n, byKind: 0n });
  });

  it('start weeks on Monday, UTC', () => {
    const { from, until } = periodAt('weekly', NOW);
    expect(new Date(from).toISOString()).toBe('2026-11-16T00:00:00.000Z');
    expect(until - from).toBe(7 * DAY);
    expect(periodAt('weekly', from - 1).until).toBe(from);
    expect(periodAt('daily', NOW)).toEqual({ from: NOW - 12 * HOUR, until: NOW + 12 * HOUR });
  });
});
