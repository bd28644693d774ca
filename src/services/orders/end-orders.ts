import { reduceOrders } from '../../core/orders/machine.ts';
import { parentOrderKey } from '../../core/orders/order-child.ts';
import { carryOut } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { endWaiting } from './settle-order.ts';
import { tellOrder } from './tell-order.ts';

/** Expires an order whose time is over; one whose fire is on its way ends after it. Returns whether it did. */
export async function expireOrder(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ids'>,
  orderId: string,
): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    if (group === null || order === undefined || order.expiresAt > deps.clock.now()) return false;
    const transition = reduceOrders(group, { kind: 'expired', orderId });
    if (transition.writes.length === 0 || !(await carryOut(stores, transition))) return false;
    await endWaiting(stores, parentOrderKey(orderId));
    await tellOrder(deps, stores, order, { event: 'expired', code: null, n: order.fires });
    return true;
  });
}
