import type { Address } from '@tradepost/solana';
import { imitatedToken } from '../../tokens/rules/look-alike.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { IndexedToken } from '../../tokens/store-port.ts';
import type { MarketSnapshot } from './market-snapshot.ts';
import { figuresOf, type TokenFigures } from './token-figures.ts';

/** The facts about a token in a list. Null is "not known", never 0. Symbol and name are hostile text. */
export type TokenSummary = {
  readonly mint: Address;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** Well known, or vouched for by the operator. */
  readonly verified: boolean;
  /** The better known token that it may be taken for. */
  readonly imitates: Address | null;
  readonly madeHere: boolean;
  readonly primaryMarket: Address | null;
  /** Epoch milliseconds at which this desk first saw it. */
  readonly firstSeenAt: number;
} & Pick<TokenFigures, 'price' | 'priceSol' | 'change24h' | 'change24hQuote' | 'volume24hUsd'>;

/** The token that a reader may take this one for; a verified one imitates no other. */
export function imitatedBy(token: IndexedToken, wellKnown: readonly WellKnownToken[]): Address | null {
  if (isVerified(token.mint, wellKnown)) return null;
  return imitatedToken(token, wellKnown) ?? token.imitates;
}

export function isVerified(mint: Address, wellKnown: readonly WellKnownToken[]): boolean {
  return wellKnown.some((one) => one.mint === mint);
}

export function tokenSummary(
  snapshot: MarketSnapshot,
  token: IndexedToken,
  wellKnown: readonly WellKnownToken[],
): TokenSummary {
  const { mint, symbol, name, decimals, madeHere, firstSeenAt } = token;
  const { price, priceSol, change24h, change24hQuote, volume24hUsd, primary } = figuresOf(snapshot, mint);
  return {
    mint,
    symbol,
    name,
    decimals,
    verified: isVerified(mint, wellKnown),
    imitates: imitatedBy(token, wellKnown),
    madeHere,
    price,
    priceSol,
    change24h,
    change24hQuote,
    volume24hUsd,
    primaryMarket: primary?.market.address ?? null,
    firstSeenAt,
  };
}
