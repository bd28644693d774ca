import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { addressOf, PARAMS } from '../engine/intents/build.ts';
import { explore } from '../support/explorer/explore.ts';
import { HARMLESS, PLANTED } from '../support/explorer/planted.ts';

const payout: IntentParams = {
  kind: 'payout',
  items: [{ inviterId: 'ann', recipient: addressOf(5), lamports: 3_000_000n }],
};

/** What `npm run explore` sees: every state of every world. */
describe('every interleaving of two workers', () => {
  it('is right as long as nothing lies, dies or forks: all of it', () => {
    const budget = { crashes: 0, forks: 0, lies: 0, ticks: 0 };
    const found = explore({ params: PARAMS.buy, endpoints: 2, budget });
    expect(found.violation).toBeNull();
    expect(found.isWhole).toBe(true);
    expect(Object.keys(found.ends)).toEqual(
      expect.arrayContaining(['SUCCEEDED', 'FAILED', 'EXPIRED', 'REJECTED']),
    );
  });

  const whole = [
    ['one of two nodes a liar, a crash and a fork', 2, { crashes: 1, forks: 1, lies: 1, ticks: 0 }],
    [
      'the only node wrong once, a fork, and a lease that runs out',
      1,
      { crashes: 0, forks: 1, lies: 1, ticks: 1 },
    ],
  ] as const;

  it.each(whole)(
    'is right in every state: a trade, %s',
    (_, endpoints, budget) => {
      const found = explore({ params: PARAMS.buy, endpoints, budget });
      expect(found.violation).toBeNull();
      expect(found.isWhole).toBe(true);
      expect(found.ends['NEEDS_REVIEW']).toBeGreaterThan(0);
    },
    180_000,
  );

  const worlds = [
    ['a trade, one of two nodes a liar', PARAMS.buy, 2],
    ['a payout, one of two nodes a liar', payout, 2],
    ['a trade, the only node wrong once', PARAMS.buy, 1],
    ['a payout, the only node wrong once', payout, 1],
  ] as const;

  it.each(worlds)(
    'is right in every state with everything: %s',
    (_, params, endpoints) => {
      const budget = { crashes: 1, forks: 1, lies: 1, ticks: 2 };
      const found = explore({ params, endpoints, budget });
      expect(found.violation).toBeNull();
      expect(found.isWhole).toBe(true);
    },
    120_000,
  );
});

describe('the explorer', () => {
  const budget = { crashes: 0, forks: 0, lies: 1, ticks: 1 };

  it.each(Object.entries(PLANTED))('finds %s', (_, { engine, words }) => {
    const found = explore({ params: payout, endpoints: 2, budget, engine, mostStates: 60_000 });
    expect(found.violation?.what).toMatch(words);
    expect(found.violation?.path.at(0)).toBe('a request is written down');
    expect(found.violation?.path.length).toBeGreaterThan(5);
  });

  it.each(Object.entries(HARMLESS))('sees that another rule makes up for %s', (_, engine) => {
    const found = explore({ params: payout, endpoints: 2, budget, engine, mostStates: 15_000 });
    expect(found.violation).toBeNull();
  });
});
