import { describe, expect, it } from 'vitest';
import { exploreLies } from '../support/explorer/lying-worker.ts';
import { LIES_HARMLESS, LIES_PLANTED } from '../support/explorer/lying-worker-planted.ts';

/** `npm run explore` looks at one call more. */
const BUDGET = { calls: 2, writes: 1, forks: 1, deaths: 1 };

describe('every interleaving of an honest worker and one that lies', () => {
  it.each([
    ['without weather', { calls: 3, writes: 1, forks: 0, deaths: 0 }],
    ['with a fork and bytes that expire', BUDGET],
  ])('signs nothing beyond the order, whatever is asked and whatever rows say: %s', (_, budget) => {
    const found = exploreLies({ budget });
    expect(found.violation).toBeNull();
    expect(found.isWhole).toBe(true);
    expect(found.sold).toBeGreaterThan(0);
    expect(found.answers.given).toBeGreaterThan(0);
    expect(found.answers.refused).toBeGreaterThan(found.answers.given);
  });

  it.each(Object.entries(LIES_PLANTED))('finds %s', (_, { signer, words }) => {
    const found = exploreLies({ budget: BUDGET, signer });
    expect(found.violation?.what).toMatch(words);
    expect(found.violation?.path.at(0)).toBe('an order of 100 units is placed');
    expect(found.violation?.path.join('\n')).toContain('the liar');
  });

  it.each(Object.entries(LIES_HARMLESS))('sees that another rule makes up for %s', (_, signer) => {
    expect(exploreLies({ budget: BUDGET, signer }).violation).toBeNull();
  });
});
