import { withMarket } from '../../market/rules/market-safety.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import { withConcentration } from '../../tokens/rules/concentration.ts';
import type { TradeCard } from './trade-card.ts';

/**
 * The card with the verdict on its mint, on its concentration in few hands and on its market: by the figures that it prints, the way out
 * included. A token that the operator vouches for is judged by its mint alone. Without a profile nothing is known of a market, which counts
 * against it.
 */
export function judged(card: TradeCard, profile: TokenProfile | null): TradeCard {
  const concentration = profile?.concentration ?? null;
  const held = withConcentration(card.safety, concentration);
  if (profile?.verified === true) return { ...card, safety: held };
  const safety = withMarket(held, {
    isOld: profile?.isOld ?? null,
    liquidityUsd: profile?.liquidityUsd ?? null,
    holders: profile?.holders ?? null,
    holdersAtLeast: profile?.holdersAtLeast ?? null,
    top10Bps: concentration?.top10Bps ?? null,
    returnedBps: card.testSale?.returnedBps ?? null,
  });
  return { ...card, safety };
}
