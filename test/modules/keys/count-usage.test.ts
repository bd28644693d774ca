import { describe, expect, it } from 'vitest';
import { createUsageCounter } from '../../../src/modules/keys/use/count-usage.ts';
import { fakeApiUsageStore } from '../../support/fakes/api-usage-store.ts';

const REQUEST = { account: 'acme', keyId: 'k', route: 'POST /dex/swap', status: 200 };

function rig() {
  const store = fakeApiUsageStore();
  const state = { now: Date.UTC(2026, 0, 31, 23, 59, 50), writes: 0, down: false };
  const problems: string[] = [];
  const counter = createUsageCounter({
    store: {
      ...store,
      add: async (rows, keepFrom) => {
        state.writes += 1;
        if (state.down) throw new Error('database down');
        await store.add(rows, keepFrom);
      },
    },
    clock: { now: () => state.now },
    onProblem: (error) => problems.push(String(error)),
  });
  return { counter, state, problems, store };
}

describe('counting what keys ask for', () => {
  it('writes every five seconds, not at every request', async () => {
    const { counter, state, store } = rig();
    for (let n = 0; n < 1_000; n += 1) counter.count(REQUEST);
    expect(state.writes).toBe(0);
    state.now += 5_000;
    counter.count(REQUEST);
    await counter.flush();
    expect(await store.list('acme', '2026-01-01')).toEqual([
      { ...REQUEST, day: '2026-01-31', requests: 1_001 },
    ]);
  });

  it('counts each request on the day on which it came', async () => {
    const { counter, state } = rig();
    counter.count(REQUEST);
    state.now += 10_000;
    counter.count(REQUEST);
    expect((await counter.list('acme')).map(({ day, requests }) => [day, requests])).toEqual([
      ['2026-02-01', 1],
      ['2026-01-31', 1],
    ]);
  });

  it('keeps what could not be written for the next time', async () => {
    const { counter, state, problems, store } = rig();
    counter.count(REQUEST);
    state.down = true;
    await counter.flush();
    expect(problems).toEqual(['Error: database down']);
    state.down = false;
    counter.count(REQUEST);
    await counter.flush();
    expect((await store.list('acme', '2026-01-01')).map(({ requests }) => requests)).toEqual([2]);
  });

  it('shows thirty days', async () => {
    const { counter, state } = rig();
    counter.count(REQUEST);
    state.now += 29 * 86_400_000;
    expect(await counter.list('acme')).toHaveLength(1);
    state.now += 86_400_000;
    expect(await counter.list('acme')).toEqual([]);
  });
});
