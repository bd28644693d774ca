import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  afterRound,
  lateWindowMs,
  nextRound,
  readRhythm,
  roundAmount,
  roundsTakeMs,
  SCHEDULE_START,
  type Schedule,
  scheduleLastsMs,
} from '../../../src/modules/orders/rules/schedule.ts';

const MINUTE = 60_000;

it('gives a late round half its interval, at least 30 seconds, at most two hours', () => {
  expect([MINUTE, 10 * MINUTE, 24 * 60 * MINUTE].map(lateWindowMs)).toEqual([
    30_000,
    5 * MINUTE,
    120 * MINUTE,
  ]);
});

it('splits the total to the unit, the remainder in the last round', () => {
  fc.assert(
    fc.property(fc.bigInt(100n, 10n ** 18n), fc.integer({ min: 2, max: 100 }), (total, rounds) => {
      const schedule: Schedule = { startAt: 0, intervalMs: MINUTE, rounds, total };
      const parts: bigint[] = [];
      for (let given = 0n; parts.length < rounds; given += parts.at(-1) ?? 0n)
        parts.push(roundAmount(schedule, parts.length, given));
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
      expect(new Set(parts.slice(0, -1)).size).toBe(1);
      expect((parts.at(-1) ?? 0n) >= (parts[0] ?? 0n)).toBe(true);
    }),
  );
});

it('reads rounds and what lies between them, and nothing that is unclear', () => {
  const [hour, day] = [60 * MINUTE, 1_440 * MINUTE];
  expect(readRhythm('12 x 6h')).toEqual({ rounds: 12, intervalMs: 6 * hour });
  expect(readRhythm(' 30X1D ')).toEqual({ rounds: 30, intervalMs: day });
  expect(readRhythm('10 × 15 min')).toEqual({ rounds: 10, intervalMs: 15 * MINUTE });
  expect(readRhythm('2*1m')).toEqual({ rounds: 2, intervalMs: MINUTE });
  for (const text of [
    '',
    '12',
    '12 x',
    'x 6h',
    '12 x 6',
    '12 x 6w',
    '-2 x 1h',
    '1.5 x 1h',
    '2 x 1.5h',
    '2 x 1h x',
  ])
    expect(readRhythm(text), text).toBeNull();
});

it('stands for as long again as its rounds take, a day at least', () => {
  const [hour, day] = [60 * MINUTE, 1_440 * MINUTE];
  expect(roundsTakeMs({ rounds: 5, intervalMs: hour })).toBe(4 * hour);
  expect(scheduleLastsMs({ rounds: 5, intervalMs: MINUTE })).toBe(day);
  expect(scheduleLastsMs({ rounds: 50, intervalMs: day })).toBe(100 * day);
});

/** Looks at `times`; interval after interval of the calendar is either used, or gone when a look finds it over. */
function naive(schedule: Schedule, times: readonly number[], carriedOut: readonly boolean[]) {
  const late = lateWindowMs(schedule.intervalMs);
  let [calendar, done, missed] = [0, 0, 0];
  const rounds: number[] = [];
  for (const [index, now] of times.entries()) {
    const dueAt = () => schedule.startAt + calendar * schedule.intervalMs;
    while (done < schedule.rounds && now >= dueAt() + late) {
      calendar += 1;
      missed += 1;
    }
    if (done >= schedule.rounds || now < dueAt() || carriedOut[index] !== true) continue;
    calendar += 1;
    done += 1;
    rounds.push(now);
  }
  return { rounds, progress: { slot: calendar, done, missed } };
}

it('agrees with a calendar over random looks, halts and failures: no round is caught up', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(1_000, 20_000, 40_000, 70_000, 400_000), fc.boolean()), {
        maxLength: 80,
      }),
      fc.integer({ min: 2, max: 10 }),
      fc.constantFrom(MINUTE, 3 * MINUTE),
      (steps, rounds, intervalMs) => {
        const schedule: Schedule = { startAt: 50_000, intervalMs, rounds, total: 1_000n };
        let now = 0;
        const times = steps.map(([ms]) => (now += ms));
        let progress = SCHEDULE_START;
        const fired: number[] = [];
        for (const [index, at] of times.entries()) {
          let due = nextRound(schedule, progress, at);
          if (due.kind === 'missed') {
            progress = due.progress;
            due = nextRound(schedule, progress, at);
          }
          expect(due.kind).not.toBe('missed');
          if (due.kind === 'wait') expect(due.until).toBeGreaterThan(at);
          if (due.kind !== 'due' || steps[index]?.[1] !== true) continue;
          expect(due.round).toBe(progress.done + 1);
          expect(due.until).toBeGreaterThan(at);
          fired.push(at);
          progress = afterRound(progress);
        }
        const model = naive(
          schedule,
          times,
          steps.map(([, ok]) => ok),
        );
        expect({ rounds: fired, progress }).toEqual(model);
        expect(fired.length).toBeLessThanOrEqual(rounds);
      },
    ),
    { numRuns: 1_000 },
  );
});
