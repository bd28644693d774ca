import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pageOfTokens,
  type TokenFacts,
  type TokenListQuery,
  type TokenPlace,
} from '../../../src/modules/market/rules/token-list.ts';
import { addressOf } from '../../engine/intents/build.ts';

const EVERY: TokenListQuery = {
  sort: 'volume24hUsd',
  order: 'desc',
  limit: 100,
  verified: false,
  minLiquidityUsd: null,
  minVolume24hUsd: null,
  venue: null,
  among: null,
  after: null,
};
const token = (n: number, more: Partial<TokenFacts> = {}): TokenFacts => ({
  mint: addressOf(n),
  verified: false,
  usd: 1,
  liquidityUsd: 1_000,
  volume24hUsd: 10,
  change24h: 0,
  venues: ['desk'],
  ...more,
});
const shown = (all: readonly TokenFacts[], query: Partial<TokenListQuery>) =>
  pageOfTokens(all, { ...EVERY, ...query }).tokens.map(({ mint }) => mint);

describe('a list of tokens', () => {
  const [low, high, none] = [
    token(1, { volume24hUsd: 1, change24h: 5, usd: 3 }),
    token(2, { volume24hUsd: 9, change24h: -5, usd: 2, verified: true }),
    token(3, { volume24hUsd: null, change24h: null, usd: 1, liquidityUsd: null }),
  ];
  const all = [none, low, high];

  it('is sorted by the figure that was asked for, the unknown last in either order', () => {
    expect(shown(all, {})).toEqual([high.mint, low.mint, none.mint]);
    expect(shown(all, { order: 'asc' })).toEqual([low.mint, high.mint, none.mint]);
    expect(shown(all, { sort: 'change24h' })).toEqual([low.mint, high.mint, none.mint]);
    expect(shown(all, { sort: 'usdPrice' })).toEqual([low.mint, high.mint, none.mint]);
  });

  it('leaves out what a filter forbids and what is not known', () => {
    expect(shown(all, { verified: true })).toEqual([high.mint]);
    expect(shown(all, { minVolume24hUsd: 2 })).toEqual([high.mint]);
    expect(shown(all, { minVolume24hUsd: 0 })).toEqual([high.mint, low.mint]);
    expect(shown(all, { minLiquidityUsd: 1_000 })).toEqual([high.mint, low.mint]);
    expect(shown(all, { minLiquidityUsd: 1_000.01 })).toEqual([]);
    const elsewhere = token(4, { volume24hUsd: 5, venues: ['desk', 'pump-fun'] });
    expect(shown([...all, elsewhere], { venue: 'pump-fun' })).toEqual([elsewhere.mint]);
    expect(shown([...all, elsewhere], { venue: 'desk' })).toHaveLength(4);
    expect(shown(all, { among: new Set([none.mint]) })).toEqual([none.mint]);
  });

  it('gives the whole, each token once, over pages of any size', () => {
    const figure = fc.option(fc.integer({ min: -3, max: 3 }), { nil: null });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 40 }),
        fc.array(figure, { minLength: 40, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('desc' as const, 'asc' as const),
        (ids, figures, limit, order) => {
          const tokens = ids.map((id, at) => token(id, { change24h: figures[at] ?? null }));
          const query = { ...EVERY, sort: 'change24h' as const, order };
          const whole = pageOfTokens(tokens, query).tokens;
          const pages: TokenFacts[] = [];
          let after: TokenPlace | null = null;
          do {
            const page = pageOfTokens(tokens, { ...query, limit, after });
            expect(page.tokens.length).toBeLessThanOrEqual(limit);
            pages.push(...page.tokens);
            after = page.next;
          } while (after !== null);
          expect(pages).toEqual(whole);
          expect(new Set(pages.map(({ mint }) => mint)).size).toBe(tokens.length);
        },
      ),
    );
  });
});
