import { AppError } from '../../core/errors/app-error.ts';
import type { OrderTransition } from '../../core/orders/transition.ts';
import type { Stores } from '../../core/ports/stores.ts';

/** Writes a transition of a locked group: rows and fires. False, and nothing is written, where a row was not as it was read. */
export async function carryOut(
  { orders }: Pick<Stores, 'orders'>,
  { group, writes, effects }: OrderTransition,
): Promise<boolean> {
  if (writes.length === 0 && effects.length === 0) return orders.write(group, []);
  if (!(await orders.write(group, writes))) return false;
  for (const effect of effects) {
    if (effect.kind === 'create-intent') await orders.addFire(effect.fire);
    if (effect.kind === 'end-fire') await orders.endFire(effect.orderId, effect.n, effect.end);
  }
  return true;
}

/** As `carryOut`, of a group that this transaction has locked: it cannot be another than it was read. */
export async function carryOutLocked(
  stores: Pick<Stores, 'orders'>,
  transition: OrderTransition,
): Promise<void> {
  if (await carryOut(stores, transition)) return;
  const [order] = transition.group.orders;
  throw new AppError('ORDER_NOT_CHANGEABLE', { number: order?.number ?? 0, status: order?.status ?? 'OPEN' });
}
