import { hasAged } from '../../../core/time/age.ts';

/** How much deeper another market of the pair must be, and for how long, before the name moves to it. */
const TIMES_DEEPER = 2n;
const FOR_MS = 3_600_000;

export type PairMarket = { readonly id: number; readonly primary: boolean; readonly quoteLiquidity: bigint };

/** A market that was seen to be deeper, since when. */
export type Contender = { readonly marketId: number; readonly since: number };

/**
 * Whether the pair's name moves to another market. It moves only to one that has been twice as deep for an hour, so that lending liquidity
 * for a minute takes no name. Returns the contender from now on, and the market to be made primary, if any.
 */
export function contendForPrimary(
  markets: readonly PairMarket[],
  standing: Contender | null,
  now: number,
): { readonly contender: Contender | null; readonly winner: number | null } {
  const primary = markets.find((market) => market.primary);
  const deepest = markets.reduce<PairMarket | null>(
    (best, market) => (best === null || market.quoteLiquidity > best.quoteLiquidity ? market : best),
    null,
  );
  if (primary === undefined || deepest === null || deepest.id === primary.id)
    return { contender: null, winner: null };
  if (deepest.quoteLiquidity < TIMES_DEEPER * primary.quoteLiquidity)
    return { contender: null, winner: null };
  const contender = standing?.marketId === deepest.id ? standing : { marketId: deepest.id, since: now };
  const hasWon = hasAged(contender.since, FOR_MS, now);
  return { contender: hasWon ? null : contender, winner: hasWon ? deepest.id : null };
}
