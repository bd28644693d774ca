import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { type MarketFacts, withMarket } from '../../../src/modules/market/rules/market-safety.ts';
import { riskLine, safetyText } from '../../../src/modules/tokens/chat/safety-text.ts';
import type { TokenSafety } from '../../../src/modules/tokens/rules/safety.ts';
import { cardView } from '../../../src/modules/trading/chat/card-view.ts';
import { judged } from '../../../src/modules/trading/use/judge-card.ts';
import { cardOf, WORST } from '../../support/screens/facts.ts';

const SAFE: TokenSafety = { level: 'OK', warnings: [] };
const GOOD: MarketFacts = {
  isOld: true,
  liquidityUsd: 5_000,
  holders: 50,
  top10Bps: 1_000,
  returnedBps: 9_500,
};
const codes = (facts: Partial<MarketFacts>, safety = SAFE) =>
  withMarket(safety, { ...GOOD, ...facts }).warnings.map(({ code }) => code);

describe('the verdict on a market', () => {
  it('finds nothing in a market that is old, deep, spread and can be left', () => {
    expect(withMarket(SAFE, GOOD)).toEqual(SAFE);
  });

  it.each([
    ['young', { isOld: false }, ['YOUNG']],
    ['small', { liquidityUsd: 4_999.99 }, ['SMALL']],
    ['a curve that nobody has bought from', { liquidityUsd: 0 }, ['SMALL']],
    ['held by few', { holders: 49 }, ['FEW_HOLDERS']],
    ['dear to leave', { returnedBps: 9_499 }, ['POOR_EXIT']],
    ['no number', { liquidityUsd: Number.NaN }, ['SMALL']],
    ['of unknown age', { isOld: null }, ['NOT_ENOUGH_KNOWN']],
    ['of unknown depth', { liquidityUsd: null }, ['NOT_ENOUGH_KNOWN']],
    ['of unknown holders', { holders: null }, ['NOT_ENOUGH_KNOWN']],
    ['of 49 holders at least', { holders: null, holdersAtLeast: 49 }, ['NOT_ENOUGH_KNOWN']],
    [
      'of holders whose shares are not known',
      { holders: null, holdersAtLeast: 50, top10Bps: null },
      ['NOT_ENOUGH_KNOWN'],
    ],
    ['of unknown shares', { top10Bps: null }, ['NOT_ENOUGH_KNOWN']],
    ['not rehearsed, though it should be', { returnedBps: null }, ['NOT_ENOUGH_KNOWN']],
  ] as const)('is CAREFUL with one that is %s', (_, facts, expected) => {
    expect(codes(facts)).toEqual(expected);
    expect(withMarket(SAFE, { ...GOOD, ...facts }).level).toBe('CAREFUL');
  });

  it('takes fifty holders at least for enough, where no source counts them', () => {
    expect(withMarket(SAFE, { ...GOOD, holders: null, holdersAtLeast: 50 })).toEqual(SAFE);
  });

  it('asks a page for no rehearsal', () => {
    const { returnedBps: _, ...page } = GOOD;
    expect(withMarket(SAFE, page)).toEqual(SAFE);
  });

  it('calls a refused rehearsal that, not unknown', () => {
    const refused: TokenSafety = { level: 'BLOCK', warnings: [{ code: 'CANNOT_SELL', severity: 'BLOCK' }] };
    expect(codes({ returnedBps: null }, refused)).toEqual(['CANNOT_SELL']);
  });

  it('puts the net way out in the place of the one before fees', () => {
    const gross: TokenSafety = {
      level: 'CAREFUL',
      warnings: [{ code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps: 8_999 }],
    };
    expect(withMarket(gross, { ...GOOD, returnedBps: 8_820 }).warnings).toEqual([
      { code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps: 8_820 },
    ]);
  });

  it('is never milder than the verdict on the mint, and never blocks', () => {
    const rank = { OK: 0, CAREFUL: 1, BLOCK: 2 };
    const facts = fc.record({
      isOld: fc.constantFrom(true, false, null),
      liquidityUsd: fc.option(fc.double({ min: 0, max: 1e12 })),
      holders: fc.option(fc.nat()),
      top10Bps: fc.option(fc.nat(10_000)),
      returnedBps: fc.option(fc.nat(10_000)),
    });
    const mints: readonly TokenSafety[] = [
      SAFE,
      { level: 'CAREFUL', warnings: [{ code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' }] },
      { level: 'BLOCK', warnings: [{ code: 'PAUSED', severity: 'BLOCK' }] },
    ];
    fc.assert(
      fc.property(facts, fc.constantFrom(...mints), (found, mint) => {
        const { level } = withMarket(mint, found);
        expect(rank[level]).toBeGreaterThanOrEqual(rank[mint.level]);
        expect(level === 'BLOCK').toBe(mint.level === 'BLOCK');
      }),
    );
  });
});

describe('its words', () => {
  it('are one line with the first reason and the number of the others, in both languages', () => {
    const safety = withMarket(SAFE, { ...GOOD, liquidityUsd: 2_100, isOld: false, holders: 1 });
    expect(riskLine(wordsOf('en'), safety).markup).toBe('⚠️ CAREFUL: liquidity $2.1K (+2)');
    expect(riskLine(wordsOf('es'), safety).markup).toBe('⚠️ CUIDADO: liquidez $2,1K (+2)');
  });

  it('name on the safety page what is not known', () => {
    const none = { isOld: null, liquidityUsd: null, holders: null, top10Bps: null, returnedBps: null };
    expect(safetyText(wordsOf('en'), withMarket(SAFE, none)).map(({ markup }) => markup)).toEqual([
      '⚠️ Safety: <b>CAREFUL</b>',
      '• Not known: its age, its liquidity, its holders, what a sale would bring back.',
    ]);
  });
});

describe('the card', () => {
  const facts = cardOf(WORST, false);
  const profile = {
    ...facts.profile!,
    verified: false,
    isOld: true,
    liquidityUsd: 9e6,
    holders: 900,
    concentration: { top10Bps: 1_000, largestBps: 100 },
  };
  const shown = (returnedBps: number) => {
    const testSale = { spentLamports: 100_000_000n, returnedBps, simulated: true };
    const card = judged({ ...facts.card, safety: SAFE, testSale }, profile);
    return cardView(wordsOf('en'), { ...facts, card, profile }).text.markup;
  };

  it('judges the way out by the number that it prints', () => {
    expect(shown(9_500)).toMatch(/In and out now −5%.*\nNo problem found/);
    expect(shown(9_490)).toMatch(/In and out now −5\.1%.*\n⚠️ CAREFUL: a sale brings back 94\.9%\n/);
  });

  it('knows nothing good of a token that the market data know nothing of', () => {
    const { safety } = judged({ ...facts.card, safety: SAFE }, null);
    expect(safety.level).toBe('CAREFUL');
  });

  it('is not careful of a token only because no node counts its holders', () => {
    const testSale = { spentLamports: 100_000_000n, returnedBps: 9_800, simulated: true };
    const card = { ...facts.card, safety: SAFE, testSale };
    const uncounted = { ...profile, holders: null };
    expect(judged(card, { ...uncounted, holdersAtLeast: 1_000 }).safety).toEqual(SAFE);
    expect(judged(card, { ...uncounted, holdersAtLeast: null }).safety.level).toBe('CAREFUL');
  });

  it('judges a token that the operator vouches for by its mint', () => {
    const vouched = judged({ ...facts.card, safety: SAFE }, { ...profile, verified: true, isOld: null });
    expect(vouched.safety).toEqual(SAFE);
  });
});
