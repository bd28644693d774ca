import type { Address } from '@tradepost/solana';
import type { OrderChild } from '../../../../modules/orders/rules/order-child.ts';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';
import type { TradeTerms } from '../../rules/terms.ts';
import type { TipTerms } from '../../rules/tip-terms.ts';
import type { AgreedTrade } from '../kind.ts';

export type SellParams = {
  readonly kind: 'sell';
  readonly mint: Address;
  readonly amountIn: bigint;
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
  /** The way to the leader, and its price; absent: the nodes, for nothing. */
  readonly tip?: TipTerms;
  /** The slot of the oldest state behind the quote that was confirmed; absent for an order's fire, and in rows from before it was kept. */
  readonly quotedSlot?: bigint;
  /** The order that wants it; absent where a person does at this moment. */
  readonly order?: OrderChild;
};

export const tradeOf = ({ mint, amountIn, terms }: SellParams): AgreedTrade => ({
  side: 'sell',
  mint,
  amountIn,
  terms,
});
