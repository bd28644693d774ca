import type { Address } from '@tradepost/solana';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { TokenIndex } from '../../tokens/store-port.ts';
import { pageOfTokens, type TokenFacts, type TokenListQuery, type TokenPlace } from '../rules/token-list.ts';
import type { MarketData } from './market-data.ts';
import type { MarketSnapshot } from './market-snapshot.ts';
import { figuresOf } from './token-figures.ts';
import { isVerified, type TokenSummary, tokenSummary } from './token-summary.ts';

export type TokenList = {
  readonly tokens: readonly TokenSummary[];
  readonly next: TokenPlace | null;
  /** Epoch milliseconds of the figures. */
  readonly at: number;
};

const known = new WeakMap<MarketSnapshot, readonly TokenFacts[]>();

/**
 * A page of all tokens that have a market here; null before any market was read. A token that was never read is left out, so a page may
 * hold fewer than its limit. Throws DATABASE_UNREACHABLE.
 */
export async function listTokens(
  {
    market,
    tokenIndex,
    wellKnown,
  }: {
    readonly market: Pick<MarketData, 'snapshot'>;
    readonly tokenIndex: Pick<TokenIndex, 'find'>;
    readonly wellKnown: readonly WellKnownToken[];
  },
  query: TokenListQuery,
): Promise<TokenList | null> {
  const snapshot = await market.snapshot();
  if (snapshot.entries.length === 0) return null;
  const { tokens, next } = pageOfTokens(tokenFacts(snapshot, wellKnown), query);
  const notes = await tokenIndex.find(tokens.map(({ mint }) => mint));
  return { tokens: notes.map((note) => tokenSummary(snapshot, note, wellKnown)), next, at: snapshot.at };
}

/** Every mint of a snapshot with the figures that lists sort by; worked out once per snapshot. */
export function tokenFacts(
  snapshot: MarketSnapshot,
  wellKnown: readonly WellKnownToken[],
): readonly TokenFacts[] {
  const facts = known.get(snapshot) ?? factsOf(snapshot, wellKnown);
  known.set(snapshot, facts);
  return facts;
}

function factsOf(snapshot: MarketSnapshot, wellKnown: readonly WellKnownToken[]): readonly TokenFacts[] {
  const mints = new Set<Address>(
    snapshot.entries.flatMap(({ market }) => [market.baseMint, market.quoteMint]),
  );
  return [...mints].map((mint) => {
    const { price, liquidityUsd, volume24hUsd, change24h, entries } = figuresOf(snapshot, mint);
    const verified = isVerified(mint, wellKnown);
    const venues = [...new Set(entries.map(({ market: { venue } }) => venue))];
    return { mint, verified, usd: price?.usd ?? null, liquidityUsd, volume24hUsd, change24h, venues };
  });
}
