import { describe, expect, it } from 'vitest';
import { FENCE_RULES, type FenceRules } from '../../src/engine/signing/rules/fence.ts';
import { PARAMS } from '../engine/intents/build.ts';
import { type Exploration, explore } from '../support/explorer/explore.ts';
import { ENGINE } from '../support/explorer/world.ts';

/** CI looks at the nearest worlds of one worker; `EXPLORE_WORKERS=2 EXPLORE_MOST=2000000` takes long. */
const workers = Number(process.env['EXPLORE_WORKERS'] ?? 1);
const mostStates = Number(process.env['EXPLORE_MOST'] ?? 30_000);

const searched = (budget: Partial<Exploration['budget']>, fence: Partial<FenceRules> = {}) =>
  explore({
    params: PARAMS.withdrawSol,
    endpoints: 1,
    workers,
    hasJournal: true,
    budget: { crashes: 0, forks: 0, lies: 0, ticks: 1, ...budget },
    engine: { ...ENGINE, fence: { ...FENCE_RULES, ...fence } },
    mostStates,
  });

describe('a signer with a journal, in every interleaving', { timeout: 3_600_000 }, () => {
  it('pays nothing twice and tells nothing false when the database forgets up to three commits', () => {
    const found = searched({ rollbacks: 1 });
    expect(found.violation).toBeNull();
    expect(found.states).toBeGreaterThan(1_000);
    expect(found.ends['SUCCEEDED']).toBeGreaterThan(0);
  });

  it('harms nothing by losing the journal while the database forgets nothing', () => {
    expect(searched({ losses: 1 }).violation).toBeNull();
  });

  it('pays twice where both are lost', () => {
    const found = searched({ losses: 1, rollbacks: 1 });
    expect(found.violation?.what).toMatch(/two landed effects|a false word/);
    expect(found.violation?.path.join('\n')).toContain('the signer loses its journal');
  });

  it.each([
    ['no look at another message of the intent', { otherMessage: false }, /two landed effects|a false word/],
    ['no look for what is missing', { orphans: false }, /a false word/],
    ['no look at what was stored last', { newestStored: false }, /a false word/],
  ] as const)('finds %s', (_, fence, words) => {
    expect(searched({ rollbacks: 1 }, fence).violation?.what).toMatch(words);
  });
});
