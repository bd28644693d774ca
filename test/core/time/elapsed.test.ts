import { describe, expect, it } from 'vitest';
import { ageAt, apart, hasAged, isYoung, leftAt, startOf } from '../../../src/core/time/age.ts';
import { elapsedSince, markOf, NEVER, steadyOf } from '../../../src/core/time/elapsed.ts';
import { systemClock } from '../../../src/platform/clock/clock.ts';
import { comparedClock } from '../../../src/platform/clock/compared-clock.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

describe('a duration within a process', () => {
  it('is the same when the wall clock is set meanwhile, ahead or back', () => {
    for (const set of [-5 * HOUR, 0, 5 * HOUR]) {
      let wall = NOW;
      let steady = 40;
      const clock = comparedClock({ now: () => wall }, () => steady);
      const mark = markOf(clock);
      wall += set + 1_500;
      steady += 1_500;
      expect(elapsedSince(mark, clock)).toBe(1_500);
      expect(steadyOf(clock)()).toBe(1_540);
    }
  });

  it('is unknown, and so over, for a clock without a steady one that was set back', () => {
    let wall = NOW;
    const clock = { now: () => wall };
    const mark = markOf(clock);
    wall -= 1;
    expect(elapsedSince(mark, clock)).toBe(Number.POSITIVE_INFINITY);
    expect(elapsedSince(NEVER, clock)).toBe(Number.POSITIVE_INFINITY);
  });

  it('the clock of the machine marks by a steady one', () => {
    expect(markOf(systemClock()).steadyMs).toBeLessThan(NOW / 2);
  });
});

describe('the age of a stored moment', () => {
  const clock = comparedClock({ now: () => NOW }, () => 0);
  clock.compared('database', NOW - 10_000);

  it('a wait counts by the earliest clock, a permission by the latest', () => {
    expect(hasAged(NOW - 60_000, 60_000, clock)).toBe(false);
    expect(hasAged(NOW - 70_000, 60_000, clock)).toBe(true);
    expect(isYoung(NOW - 60_000, 60_000, clock)).toBe(false);
    expect(isYoung(NOW - 59_999, 60_000, clock)).toBe(true);
  });

  it('what is told is never below zero', () => {
    expect([ageAt(NOW - 5, NOW), ageAt(NOW + 5, NOW)]).toEqual([5, 0]);
    expect([leftAt(NOW + 5, NOW), leftAt(NOW - 5, NOW)]).toEqual([5, 0]);
    expect([apart(NOW, NOW + 5), apart(NOW + 5, NOW)]).toEqual([5, 5]);
  });

  it('a span begins at a multiple of its length', () => {
    expect(startOf(125, 60)).toBe(120);
  });
});
