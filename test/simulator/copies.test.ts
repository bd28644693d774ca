import { describe, expect, it, vi } from 'vitest';
import * as trades from '../../src/modules/copying/rules/copy-trade.ts';
import * as judge from '../../src/modules/copying/rules/judge-copy.ts';
import * as rest from '../../src/modules/copying/use/copy-rest.ts';
import * as sell from '../../src/modules/copying/use/copy-sell.ts';
import { simulate } from '../support/simulator/simulate.ts';

const run = (seed: number) =>
  simulate({ seed, mode: seed % 2 === 0 ? 'liveness' : 'safety', kinds: [], orders: [], copies: 2 });

/** Copies alone: leaders, and two people who follow them. */
describe('copies in the simulator', () => {
  it('keep every promise in a hundred storms, and are decided when they are over', async () => {
    let bought = 0;
    let sold = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const { violations, intents } = await run(seed);
      expect(violations, `seed ${seed}`).toEqual([]);
      const ended = intents.filter(({ status }) => status === 'SUCCEEDED');
      bought += ended.filter(({ kind }) => kind === 'buy').length;
      sold += ended.filter(({ kind }) => kind === 'sell').length;
    }
    // The runs meant something.
    expect(bought).toBeGreaterThan(60);
    expect(sold).toBeGreaterThan(30);
  }, 300_000);
});

type Facts = Parameters<typeof judge.judgeSeen>[0];

/** The judge of a trade with some facts changed. */
function judging(change: (facts: Facts) => Partial<Facts>) {
  const real = judge.judgeSeen;
  return vi.spyOn(judge, 'judgeSeen').mockImplementation((facts) => real({ ...facts, ...change(facts) }));
}

/** Each breaks one promise of copies. */
const PLANTED: readonly {
  readonly fault: string;
  readonly words: RegExp;
  readonly plant: () => { mockRestore(): void };
}[] = [
  {
    fault: 'names a trade anew after a while',
    words: /copied \S+ buy \S+ \d+ times/,
    plant: () => {
      let seen = 0;
      return vi.spyOn(trades, 'legOf').mockImplementation(({ side, mint }) => {
        seen += 1;
        return `${side}-${mint}${seen >> 6}`;
      });
    },
  },
  {
    fault: 'does not count its spending of the day',
    words: /asked the signer for more than its mandate|spent \d+ of \d+ a day/,
    plant: () => judging(() => ({ spentToday: 0n, spentInAll: 0n })),
  },
  {
    fault: 'buys at any age of the trade',
    words: /bought \d+ ms after its leader/,
    plant: () => judging(() => ({ ageMs: 0 })),
  },
  {
    fault: 'sells tokens of the person beside its own',
    words: /sold \d+ of \d+ units/,
    plant: () => {
      const real = rest.restOf;
      return vi.spyOn(rest, 'restOf').mockImplementation(async (...asked) => {
        const found = await real(...asked);
        return { ...found, units: found.units * 2n };
      });
    },
  },
  {
    fault: 'does not decide on sales',
    words: /has not decided on/,
    plant: () => vi.spyOn(sell, 'oweSale').mockResolvedValue(false),
  },
  {
    fault: 'skips without the number that was broken',
    words: /skipped \S+ without a reason/,
    plant: () => {
      const real = judge.judgeSeen;
      return vi.spyOn(judge, 'judgeSeen').mockImplementation((facts) => {
        const found = real(facts);
        return found === null ? null : { ...found, value: 0n, limit: 1n };
      });
    },
  },
];

describe('a copy', () => {
  it.each(PLANTED)(
    'is found where it $fault',
    async ({ words, plant }) => {
      const planted = plant();
      const found: string[] = [];
      for (let seed = 1; seed <= 150 && !found.some((text) => words.test(text)); seed += 1)
        found.push(...(await run(seed)).violations);
      planted.mockRestore();
      expect(found).toContainEqual(expect.stringMatching(words));
    },
    300_000,
  );
});
