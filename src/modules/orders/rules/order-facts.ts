import type { Order } from './order.ts';

/** What a person agreed to of an order: all that decides what its fires may sign. A placing, an edit and a resumption change it. */
export type OrderFacts = Pick<
  Order,
  | 'id'
  | 'userId'
  | 'walletId'
  | 'mint'
  | 'side'
  | 'type'
  | 'amount'
  | 'unit'
  | 'trigger'
  | 'holdMs'
  | 'partial'
  | 'terms'
  | 'expiresAt'
>;

/** The facts of an order, and nothing of what its fires leave behind. */
export function orderFacts(order: OrderFacts): OrderFacts {
  const { id, userId, walletId, mint, side, type, amount, unit, trigger, holdMs, partial, terms, expiresAt } =
    order;
  return { id, userId, walletId, mint, side, type, amount, unit, trigger, holdMs, partial, terms, expiresAt };
}
