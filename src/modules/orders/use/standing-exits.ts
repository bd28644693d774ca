import type { Address } from '@tradepost/solana';
import type { Stores } from '../../../platform/ports/stores.ts';
import { isStop } from '../rules/join-position.ts';
import { isClosed, type Order } from '../rules/order.ts';

/** The orders that sell a holding by themselves: its stop, and its take-profit of the oldest order. */
export type StandingExits = { readonly stop: Order | null; readonly take: Order | null };

export const NO_STANDING: StandingExits = { stop: null, take: null };

/** The first stop and the first take-profit that are open, paused or waiting for their purchase. Source of truth: the orders' rows. */
export async function standingExits(
  { orders }: Pick<Stores, 'orders'>,
  asked: { readonly userId: string; readonly walletId: string; readonly mint: Address },
): Promise<StandingExits> {
  const open = (await orders.listOpen(asked.userId))
    .flatMap((group) => group.orders)
    .filter((one) => one.walletId === asked.walletId && one.mint === asked.mint && !isClosed(one));
  return {
    stop: open.find(isStop) ?? null,
    take: open.find(({ type }) => type === 'TAKE_PROFIT') ?? null,
  };
}
