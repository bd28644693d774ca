import type { Address } from '@tradepost/solana';

/** The figures that a list of tokens is sorted and filtered by. Null is "not known". */
export type TokenFacts = {
  readonly mint: Address;
  readonly verified: boolean;
  readonly usd: number | null;
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly change24h: number | null;
  /** Keys of the venues at which it trades. */
  readonly venues: readonly string[];
};

export const TOKEN_SORTS = ['volume24hUsd', 'liquidityUsd', 'change24h', 'usdPrice'] as const;
export type TokenSort = (typeof TOKEN_SORTS)[number];

/** A place in a list: the figure that it is sorted by, and the mint. */
export type TokenPlace = { readonly figure: number | null; readonly mint: string };

export type TokenListQuery = {
  readonly sort: TokenSort;
  readonly order: 'desc' | 'asc';
  readonly limit: number;
  /** Only those that are well known or vouched for. */
  readonly verified: boolean;
  /** Only those of which at least so much is known; in dollars. */
  readonly minLiquidityUsd: number | null;
  readonly minVolume24hUsd: number | null;
  /** Only those with a market at this venue; null for any. */
  readonly venue: string | null;
  /** Only these mints; null for any. */
  readonly among: ReadonlySet<Address> | null;
  /** The last of the page before. Figures change between pages: a token that passes this place is shown twice, or not at all. */
  readonly after: TokenPlace | null;
};

export function figureOf({ sort }: Pick<TokenListQuery, 'sort'>, facts: TokenFacts): number | null {
  return sort === 'usdPrice' ? facts.usd : facts[sort];
}

/**
 * One page: those that pass every filter, sorted by the figure, the unknown ones last in either order, equal ones by mint. `next` is the
 * place where the following page begins, null where this one is the last.
 */
export function pageOfTokens(
  all: readonly TokenFacts[],
  query: TokenListQuery,
): { readonly tokens: readonly TokenFacts[]; readonly next: TokenPlace | null } {
  const { verified, minLiquidityUsd, minVolume24hUsd, venue, among, after, limit } = query;
  const compare = inOrder(query);
  const placed = all
    .filter((one) => !verified || one.verified)
    .filter((one) => minLiquidityUsd === null || (one.liquidityUsd ?? -1) >= minLiquidityUsd)
    .filter((one) => minVolume24hUsd === null || (one.volume24hUsd ?? -1) >= minVolume24hUsd)
    .filter((one) => venue === null || one.venues.includes(venue))
    .filter((one) => among === null || among.has(one.mint))
    .map((facts) => ({ facts, place: { figure: figureOf(query, facts), mint: facts.mint } }))
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .toSorted((a, b) => compare(a.place, b.place));
  const shown = placed.slice(0, limit);
  return {
    tokens: shown.map(({ facts }) => facts),
    next: placed.length > limit ? (shown.at(-1)?.place ?? null) : null,
  };
}

function inOrder({ order }: Pick<TokenListQuery, 'order'>): (a: TokenPlace, b: TokenPlace) => number {
  const sign = order === 'desc' ? -1 : 1;
  return (a, b) => {
    if (a.figure !== b.figure) {
      if (a.figure === null) return 1;
      if (b.figure === null) return -1;
      return a.figure < b.figure ? -sign : sign;
    }
    if (a.mint === b.mint) return 0;
    return a.mint < b.mint ? -1 : 1;
  };
}
