import type { Address } from '../../core/address/address.ts';
import type { TradeTerms } from '../../core/intents/terms.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import type { TradeWish } from '../kind.ts';

export type SellParams = {
  readonly kind: 'sell';
  readonly mint: Address;
  readonly amountIn: bigint;
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
};

export const tradeOf = ({ mint, amountIn, terms }: SellParams): TradeWish => ({
  side: 'sell',
  mint,
  amountIn,
  terms,
});
