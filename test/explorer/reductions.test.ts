import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { addressOf, PARAMS } from '../engine/intents/build.ts';
import { type Exploration, explore } from '../support/explorer/explore.ts';
import { HARMLESS } from '../support/explorer/planted.ts';

const payout: IntentParams = {
  kind: 'payout',
  items: [{ inviterId: 'ann', recipient: addressOf(5), lamports: 3_000_000n }],
};

/** What counts as one for the explorer must be one: nothing that can be seen may be lost by it. */
describe('worlds that count as one', { timeout: 120_000 }, () => {
  const both = (exploration: Exploration) => ({
    reduced: explore(exploration),
    whole: explore({ ...exploration, isReduced: false }),
  });

  const budgets = [
    ['a crash, a fork and a lie', 2, { crashes: 1, forks: 1, lies: 1, ticks: 0 }],
    ['a crash and a lease that runs out', 1, { crashes: 1, forks: 0, lies: 0, ticks: 1 }],
  ] as const;
  const cases = budgets.flatMap(([name, endpoints, budget]) =>
    [PARAMS.buy, payout].map((params) => [params.kind, name, { params, endpoints, budget }] as const),
  );

  it.each(cases)(
    'lose no combination of status, books and chain: a %s, %s',
    (_, __, exploration) => {
      const { reduced, whole } = both(exploration);
      expect([reduced.isWhole, whole.isWhole]).toEqual([true, true]);
      expect([...reduced.faces].sort()).toEqual([...whole.faces].sort());
      expect(reduced.states).toBeLessThan(whole.states);
    },
    180_000,
  );

  const budget = { crashes: 0, forks: 0, lies: 0, ticks: 0 };
  it.each(Object.entries(HARMLESS))(
    'lose nothing with %s either',
    (_, engine) => {
      const { reduced, whole } = both({ params: payout, endpoints: 2, budget, engine });
      expect([...reduced.faces].sort()).toEqual([...whole.faces].sort());
    },
    180_000,
  );
});
