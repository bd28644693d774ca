import { expect, it } from 'vitest';
import { createStatusHistory } from '../../../src/modules/operations/use/status-history.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const DAY = { part: 'queue', day: '2026-01-01', measured: 1, down: 0 };

it('asks the database once in ten seconds, and in its outage gives what it last read', async () => {
  const clock = fakeClock();
  const since: number[] = [];
  let answer: () => Promise<readonly (typeof DAY)[]> = () => Promise.reject(new Error('away'));
  const history = createStatusHistory({
    health: {
      days: (from) => {
        since.push(from);
        return answer();
      },
    },
    incidents: { list: async () => [] },
    clock,
  });
  expect(await history()).toBeNull();
  clock.advance(10_000);
  answer = async () => [DAY];
  expect(await Promise.all([history(), history(), history()])).toEqual(
    Array(3).fill({ days: [DAY], incidents: [] }),
  );
  clock.advance(9_999);
  await history();
  expect(since).toHaveLength(2);
  expect(since[0]).toBe(Date.UTC(2025, 9, 4));
  // A database that keeps silent is waited for a little while only.
  answer = () => new Promise(() => undefined);
  clock.advance(1);
  expect(await history()).toEqual({ days: [DAY], incidents: [] });
  expect(since).toHaveLength(3);
});
