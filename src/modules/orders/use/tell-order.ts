import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Order } from '../rules/order.ts';
import { encodeOrderNotice, type OrderNotice } from '../rules/order-notice.ts';

/** A notice about an order, in the transaction that makes it true. With an intent it is said in that intent's message. */
export async function tellOrder(
  deps: { readonly clock: Clock; readonly ids: Ids },
  stores: Pick<Stores, 'notices' | 'outbox'>,
  order: Pick<Order, 'id' | 'userId'>,
  what: Omit<OrderNotice, 'orderId'> & { readonly intentId?: string },
): Promise<void> {
  const { intentId = null, ...notice } = what;
  const payload = encodeOrderNotice({ orderId: order.id, ...notice });
  await addNotices(deps, stores, [{ userId: order.userId, intentId, kind: 'order', payload }]);
}
