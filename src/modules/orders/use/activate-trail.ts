import { reduceOrders } from '../rules/machine.ts';
import { carryOut, DESK } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';

/**
 * A trailing stop whose activation price was held follows the price from now on. Done once, and only as it was when that was seen: one
 * that was edited waits for another price.
 */
export async function activateTrail(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ordersChanged'>,
  { orderId, version }: { readonly orderId: string; readonly version: number },
): Promise<void> {
  await deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    if (group === null || order?.version !== version || order.progress.activatedAt !== null) return;
    const progress = { ...order.progress, activatedAt: deps.clock.now() };
    await carryOut(
      stores,
      DESK,
      reduceOrders(group, { kind: 'held-back', orderId, notBeforeSlot: null, progress }),
    );
  });
  deps.ordersChanged();
}
