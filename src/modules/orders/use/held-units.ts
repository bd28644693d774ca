import { MAX_U64 } from '@tradepost/solana';
import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import type { OrderDeps } from './order-deps.ts';

/**
 * The units that a position's orders would give of: those of the account that the first sale takes from. A guess that only decides at which
 * size the price is watched; a fire reads them again. Null where they cannot be read: the order is watched once they can.
 */
export async function heldUnits(
  deps: Pick<OrderDeps, 'db' | 'market'>,
  group: OrderGroup,
  order: Order,
): Promise<bigint | null> {
  if (order.side === 'buy' || group.units !== null) return MAX_U64;
  try {
    const wallet = await deps.db.wallets.find(group.walletId);
    if (wallet === null) return null;
    return (await deps.market.sellable(wallet.address, order.mint)).units;
  } catch (error) {
    if (hasCode(error, 'INSUFFICIENT_TOKENS')) return error.details.available;
    if (isAppError(error)) return null;
    throw error;
  }
}
