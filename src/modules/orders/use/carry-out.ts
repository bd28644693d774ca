import { AppError } from '../../../core/errors/app-error.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import type { OrderTransition } from '../rules/transition.ts';
import type { OrderWriting } from '../store/order-store-port.ts';

/** The desk by itself books, wakes, holds back and ends. */
export const DESK = passFree('service', null);

/** Writes a transition of a locked group: rows and fires. False, and nothing is written, where a row was not as it was read. */
export async function carryOut(
  { orders }: Pick<Stores, 'orders'>,
  passed: Passed<OrderWriting>,
  { group, writes, effects }: OrderTransition,
): Promise<boolean> {
  if (writes.length === 0 && effects.length === 0) return orders.write(passed, group, []);
  if (!(await orders.write(passed, group, writes))) return false;
  for (const effect of effects) {
    if (effect.kind === 'create-intent') await orders.addFire(effect.fire);
    if (effect.kind === 'end-fire') await orders.endFire(effect.orderId, effect.n, effect.end);
  }
  return true;
}

/** As `carryOut`, of a group that this transaction has locked: it cannot be another than it was read. */
export async function carryOutLocked(
  stores: Pick<Stores, 'orders'>,
  passed: Passed<OrderWriting>,
  transition: OrderTransition,
): Promise<void> {
  if (await carryOut(stores, passed, transition)) return;
  const [order] = transition.group.orders;
  throw new AppError('ORDER_NOT_CHANGEABLE', { number: order?.number ?? 0, status: order?.status ?? 'OPEN' });
}
