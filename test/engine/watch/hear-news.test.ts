import { expect, it } from 'vitest';
import { createHearNews } from '../../../src/engine/watch/use/hear-news.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

function rig({ isFirst = true, sweep = async (): Promise<void> => undefined } = {}) {
  const clock = fakeClock();
  const did: string[] = [];
  const hear = createHearNews({
    clock,
    log: { warn: () => void did.push('warned') },
    isFirst: () => isFirst,
    sweep: () => {
      did.push('swept');
      return sweep();
    },
    wakeOrders: () => void did.push('orders'),
    wakeSubmissions: () => void did.push('submissions'),
  });
  return { clock, did, hear };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('sweeps at once what a beat found, and not with each beat while it lasts', async () => {
  const { clock, did, hear } = rig();
  hear({ isForgotten: false, haveOrders: false, haveSubmissions: false });
  expect(did).toEqual([]);
  for (let beat = 0; beat < 5; beat += 1) {
    hear({ isForgotten: true, haveOrders: false, haveSubmissions: false });
    await settled();
    clock.advance(2_500);
  }
  // At 0, 5 and 10 seconds: the beats between come too soon.
  expect(did).toEqual(['swept', 'swept', 'swept']);
});

it('leaves the sweeping to the first of the watchers, and wakes orders in each of them', () => {
  const { did, hear } = rig({ isFirst: false });
  hear({ isForgotten: true, haveOrders: true, haveSubmissions: false });
  expect(did).toEqual(['orders']);
});

it('never has two sweeps at once, and goes on after one that failed', async () => {
  let fail = (): void => undefined;
  const { clock, did, hear } = rig({
    sweep: () =>
      new Promise<void>((_, reject) => {
        fail = () => reject(new Error('away'));
      }),
  });
  hear({ isForgotten: true, haveOrders: false, haveSubmissions: false });
  clock.advance(7_000);
  hear({ isForgotten: true, haveOrders: false, haveSubmissions: false });
  expect(did).toEqual(['swept']);
  fail();
  await settled();
  hear({ isForgotten: true, haveOrders: false, haveSubmissions: false });
  expect(did).toEqual(['swept', 'warned', 'swept']);
});
