import { mayTell } from '../rules/budget.ts';
import { reduceOrders } from '../rules/machine.ts';
import type { OrderEventName } from '../rules/order-notice.ts';
import { carryOut, DESK } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { tellOrder } from './tell-order.ts';

/**
 * Notifies the person about an open order, and remembers the time in its row: a restart does not repeat it. At most once an hour for each
 * event; nothing is sent about an order that is over or on its way. True where it was sent now.
 */
export async function tellStanding(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ids'>,
  orderId: string,
  event: Extract<OrderEventName, 'ending' | 'blind' | 'dev-moved'>,
  code: string | null = null,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    if (group === null || order === undefined) return false;
    const { told } = order.progress;
    if (!mayTell(told[event] ?? null, now)) return false;
    const progress = { ...order.progress, told: { ...told, [event]: now } };
    const transition = reduceOrders(group, { kind: 'told', orderId, progress });
    if (transition.writes.length === 0 || !(await carryOut(stores, DESK, transition))) return false;
    await tellOrder(deps, stores, order, { event, code, n: order.fires });
    return true;
  });
}
