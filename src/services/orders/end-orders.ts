import { reduceOrders } from '../../core/orders/machine.ts';
import type { Order } from '../../core/orders/order.ts';
import { carryOut } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { endLegsOfClosed } from './settle-order.ts';
import { tellOrder } from './tell-order.ts';

/** What sells at its end is tried for so long; then it expires as any other. */
export const EXIT_TRIES_MS = 3_600_000;

/** Whether its time is over and what is left of it is sold now, as by a stop. One that is paused expires unsold. */
export function isExiting(order: Order, now: number): boolean {
  const late = now - order.expiresAt;
  return order.status === 'OPEN' && order.terms.sellsOnExpiry && late >= 0 && late < EXIT_TRIES_MS;
}

/** What became of an order whose time is over. `exits`: it is to be sold first. */
export type Expiry =
  | { readonly kind: 'expired' | 'left' }
  | { readonly kind: 'exits'; readonly order: Order };

/** Expires an order whose time is over; one whose fire is on its way ends after it. */
export async function expireOrder(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ids'>,
  orderId: string,
): Promise<Expiry> {
  return deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    const now = deps.clock.now();
    if (group === null || order === undefined || order.expiresAt > now) return { kind: 'left' };
    if (isExiting(order, now)) return { kind: 'exits', order };
    const transition = reduceOrders(group, { kind: 'expired', orderId });
    if (transition.writes.length === 0 || !(await carryOut(stores, transition))) return { kind: 'left' };
    await endLegsOfClosed(stores, transition.group, orderId);
    await tellOrder(deps, stores, order, { event: 'expired', code: null, n: order.fires });
    return { kind: 'expired' };
  });
}
