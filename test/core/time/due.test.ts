import { describe, expect, it } from 'vitest';
import { earliestOf, isOver, isStill, latestOf } from '../../../src/core/time/due.ts';
import { comparedClock } from '../../../src/platform/clock/compared-clock.ts';

const NOW = Date.UTC(2026, 10, 26);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A machine whose clock an operator may set, beside one that goes on for ever. */
function machine() {
  let offset = 0;
  let passed = 0;
  const clock = comparedClock({ now: () => NOW + passed + offset }, () => passed);
  return {
    clock,
    set: (by: number): void => {
      offset = by;
    },
    pass: (ms: number): void => {
      passed += ms;
    },
    truth: () => NOW + passed,
  };
}

describe('a clock that is compared with others', () => {
  it('is alone what it shows until another was read, and where they agree', () => {
    const { clock, truth } = machine();
    expect([clock.earliest(), clock.latest()]).toEqual([NOW, NOW]);
    clock.compared('database', truth() + 999);
    clock.compared('chain', truth() - 999);
    expect([clock.earliest(), clock.latest()]).toEqual([NOW, NOW]);
  });

  it.each([HOUR, -HOUR, 400 * DAY, -400 * DAY])('notices at once that it was set by %i ms', (by) => {
    const { clock, set, pass, truth } = machine();
    clock.compared('database', truth());
    pass(HOUR);
    set(by);
    const seen = [truth(), truth() + by].toSorted((a, b) => a - b);
    expect([clock.now(), clock.earliest(), clock.latest()]).toEqual([truth() + by, ...seen]);
    set(0);
    expect([clock.earliest(), clock.latest()]).toEqual([truth(), truth()]);
  });

  it('lets no wait end early, and no permission last, while one of three is right', () => {
    for (const by of [HOUR, -HOUR, 400 * DAY, -400 * DAY])
      for (const wrong of ['own', 'database', 'chain'] as const) {
        const { clock, set, truth } = machine();
        clock.compared('database', truth() + (wrong === 'database' ? by : 0));
        clock.compared('chain', truth() + (wrong === 'chain' ? by : 0));
        if (wrong === 'own') set(by);
        expect([wrong, by, isOver(truth() + 1_001, clock)]).toEqual([wrong, by, false]);
        expect([wrong, by, isStill(truth() - 1_001, clock)]).toEqual([wrong, by, false]);
      }
  });

  it('forgets what the chain showed ten minutes ago, and not the database', () => {
    const { clock, pass, truth } = machine();
    clock.compared('chain', truth() - HOUR);
    pass(600_000);
    expect(clock.earliest()).toBe(truth() - HOUR);
    pass(1);
    expect(clock.earliest()).toBe(truth());
    clock.compared('database', truth() - HOUR);
    pass(DAY);
    expect(clock.earliest()).toBe(truth() - HOUR);
  });
});

it('a moment alone is its own earliest and latest, and a wait is over at its last moment', () => {
  expect([earliestOf(NOW), latestOf({ now: () => NOW })]).toEqual([NOW, NOW]);
  expect([isOver(NOW + 1, NOW), isOver(NOW, NOW), isStill(NOW, NOW), isStill(NOW + 1, NOW)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
