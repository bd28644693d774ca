import { expect, it } from 'vitest';
import { createCallBudget } from '../../../../src/platform/chain/transaction-source/call-budget.ts';

/** Time that passes only while somebody sleeps. */
const virtualTime = () => {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
};

it('lets a burst of one second through at once, and then so many in each second', async () => {
  const time = virtualTime();
  const budget = createCallBudget(5, time);
  const at: number[] = [];
  for (let call = 0; call < 20; call += 1) {
    await budget.take('live');
    at.push(time.now());
  }
  expect(at.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  for (const [index, moment] of at.entries())
    if (index >= 5) expect(moment - (at[index - 5] ?? 0)).toBeGreaterThanOrEqual(199);
  expect(at.at(-1)).toBe(3_000);
});

it('lets what is fresh go first, and what is to be sealed at every fourth turn at least', async () => {
  const budget = createCallBudget(1, virtualTime());
  const order: string[] = [];
  const take = (rank: 'live' | 'seal') => budget.take(rank).then(() => order.push(rank));
  await Promise.all([
    ...Array.from({ length: 9 }, () => take('live')),
    ...Array.from({ length: 3 }, () => take('seal')),
  ]);
  expect(order.join(' ')).toBe('live live live seal live live live seal live live live seal');
});

it('lets everything through without a limit', async () => {
  const budget = createCallBudget(null, { now: () => 0, sleep: () => Promise.reject(new Error('slept')) });
  for (let call = 0; call < 1_000; call += 1) await budget.take('seal');
});

it('takes half the rate when a node asks for fewer calls, and has the whole of it a minute later', async () => {
  const time = virtualTime();
  const budget = createCallBudget(10, time);
  budget.ease();
  const since = time.now();
  for (let call = 0; call < 20; call += 1) await budget.take('live');
  const eased = time.now() - since;
  expect(eased).toBeGreaterThan(2_000);
  expect(eased).toBeLessThanOrEqual(4_000);
  await time.sleep(60_000);
  for (let call = 0; call < 10; call += 1) await budget.take('live');
  const full = time.now();
  for (let call = 0; call < 10; call += 1) await budget.take('live');
  expect(time.now() - full).toBeLessThanOrEqual(1_001);
});
