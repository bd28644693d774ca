import { describe, expect, it } from 'vitest';
import { EXIT_ENGINE, type ExitEngine, exploreExits } from '../support/explorer/event-exits.ts';

/** Faults of which each must be found. */
const PLANTED: Readonly<Record<string, { readonly engine: ExitEngine; readonly words: RegExp }>> = {
  'a fire that is committed over rows of a moment ago': {
    engine: { ...EXIT_ENGINE, locks: false },
    words: /more may land than was held|two sales/,
  },
  'a sale that is called dead while its bytes may land': {
    engine: { ...EXIT_ENGINE, guessesDeath: true },
    words: /a sale in a block was not booked|more may land than was held/,
  },
  'an exit that fires by any sale of the creator': {
    engine: { ...EXIT_ENGINE, isDevSale: (_, sold) => sold > 0n },
    words: /dev fired without its event in any block/,
  },
  'an exit that takes any liquidity for a fall': {
    engine: { ...EXIT_ENGINE, isLiquidityFall: () => true },
    words: /low fired without its event in any block/,
  },
  'an exit that never sees the liquidity fall': {
    engine: { ...EXIT_ENGINE, isLiquidityFall: () => false },
    words: /an event stands and nothing was sold/,
  },
  'a sale that is booked twice': {
    engine: {
      ...EXIT_ENGINE,
      reduce: (group, event) => {
        const once = EXIT_ENGINE.reduce(group, event);
        return event.kind === 'settled'
          ? { ...once, group: { ...once.group, sold: 2n * once.group.sold } }
          : once;
      },
    },
    words: /the books have more than the blocks/,
  },
};

describe('every interleaving of two workers over two exits by an event', () => {
  it.each([
    ['nothing dies and no fork', { crashes: 0, forks: 0, deaths: 0 }],
    ['a crash, a fork of the creator’s sale and two sales that expire', { crashes: 1, forks: 1, deaths: 2 }],
  ])('sells once, by the blocks, and forgets no event: %s', (_, budget) => {
    const found = exploreExits({ budget });
    expect(found.violation).toBeNull();
    expect(found.isWhole).toBe(true);
    expect(found.rest.sold).toBeGreaterThan(0);
    expect(found.rest.open).toBeGreaterThan(0);
  });

  it.each(Object.entries(PLANTED))('finds %s', (_, { engine, words }) => {
    const found = exploreExits({ budget: { crashes: 1, forks: 1, deaths: 1 }, engine });
    expect(found.violation?.what).toMatch(words);
    expect(found.violation?.path.at(0)).toBe('two exits are placed');
  });
});
