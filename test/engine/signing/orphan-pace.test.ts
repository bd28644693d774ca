import { expect, it } from 'vitest';
import { createOrphanPace } from '../../../src/engine/signing/use/orphan-pace.ts';

const [a, b] = [{ signature: 'a' }, { signature: 'b' }];

it('is due at once, then after pauses of 5, 10 and 20 seconds', () => {
  const pace = createOrphanPace();
  const due: number[] = [];
  for (let second = 0; second <= 60; second += 1) {
    if (pace.due([a], second * 1_000).length > 0) due.push(second);
  }
  expect(due).toEqual([0, 5, 15, 35, 55]);
});

it('is kept for each signature, and forgotten when it is no orphan any more', () => {
  const pace = createOrphanPace();
  expect(pace.due([a], 0)).toEqual([a]);
  expect(pace.due([a, b], 1_000)).toEqual([b]);
  expect(pace.due([b], 2_000)).toEqual([]);
  expect(pace.due([a, b], 3_000)).toEqual([a]);
});

it('is due after the clock was set back', () => {
  const pace = createOrphanPace();
  expect(pace.due([a], 1_000_000)).toEqual([a]);
  expect(pace.due([a], 10)).toEqual([a]);
});
