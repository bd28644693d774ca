import { orderOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { unitsChange } from '../../positions/rules/adjustment.ts';
import { foldEvents, positionKey } from '../../positions/rules/fold-events.ts';
import type { RecordedEvent } from '../../positions/store/position-store-port.ts';
import { knownEvents } from '../../positions/use/known-events.ts';
import { reduceOrders } from '../rules/machine.ts';
import { isClosed, type OrderGroup } from '../rules/order.ts';
import { carryOutLocked, DESK } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { tellOrder } from './tell-order.ts';

type CloseDeps = Pick<OrderDeps, 'clock' | 'ids'>;
type CloseStores = Pick<Stores, 'orders' | 'positions' | 'notices' | 'outbox'>;

/**
 * Ends the exits of each position that these events leave empty, in their own commit. Otherwise an order on no tokens would sell a later
 * purchase. Exits that wait for a purchase stay. While the sale is not final, the group of the order that sold is left to the end of its
 * fire. If a fork drops the sale, its other legs are still open. A position that is known only in part, below zero, is left to the check of
 * the wallet's holdings (`closed-positions`).
 */
export async function endClosedPositions(
  deps: CloseDeps,
  stores: CloseStores,
  { intent, events }: { readonly intent: Intent; readonly events: readonly RecordedEvent[] },
): Promise<void> {
  const child = orderOf(intent.params);
  for (const event of events) {
    const { walletId, mint, final } = event;
    if (unitsChange(event) >= 0n) continue;
    const exits = await stores.orders.lockExits(walletId, mint);
    if (exits.length === 0) continue;
    const known = await knownEvents(stores, [walletId], [mint]);
    if (foldEvents(known.events).positions.get(positionKey(walletId, mint))?.units !== 0n) continue;
    for (const group of exits) {
      const isOwn = group.orders.some(({ id }) => id === child?.id);
      if (final || !isOwn) await endAll(deps, stores, group);
    }
  }
}

/** Orders that sell now end after their fire. */
async function endAll(deps: CloseDeps, stores: CloseStores, exits: OrderGroup): Promise<void> {
  let group = exits;
  for (const order of exits.orders) {
    if (isClosed(order) || order.status === 'WAITING') continue;
    const ended = reduceOrders(group, { kind: 'cancelled', orderId: order.id, reason: 'position-closed' });
    if (ended.writes.length === 0) continue;
    await carryOutLocked(stores, DESK, ended);
    ({ group } = ended);
    if (order.status !== 'TRIGGERED')
      await tellOrder(deps, stores, order, { event: 'cancelled', code: 'position-closed', n: order.fires });
  }
}
