import { AppError } from '../../../core/errors/app-error.ts';
import { cancelIntent } from '../../../engine/transactions/use/cancel-intent.ts';
import type { CommitDeps } from '../../../engine/transactions/use/commit-transition.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import { reduceOrders } from '../rules/machine.ts';
import { isClosed, type Order, type OrderGroup } from '../rules/order.ts';
import type { OrderEffect, OrderEvent } from '../rules/transition.ts';
import type { OrderWriting } from '../store/order-store-port.ts';
import { endLegsOfClosed } from './settle-order.ts';

export type ChangeOrderDeps = CommitDeps & {
  readonly db: Database;
  readonly clock: Clock;
  readonly ordersChanged: () => void;
};

type Named = { readonly userId: string; readonly orderId: string };

/** An order after what was asked for. `sent`: its fire was signed before, and cannot be recalled. */
export type ChangedByPerson = { readonly group: OrderGroup; readonly order: Order; readonly sent: boolean };

/**
 * O7: cancels an order. One whose fire is on its way ends with it: its intent is cancelled where nothing was signed, else
 * `sent` is true. Throws ORDER_NOT_FOUND for a stranger's, ORDER_NOT_CHANGEABLE for one that is over.
 */
export function cancelOrder(deps: ChangeOrderDeps, { userId, orderId }: Named): Promise<ChangedByPerson> {
  return changeOrder(
    deps,
    { userId, orderId },
    () => ({ kind: 'cancelled', orderId, reason: 'person' }),
    stopping(userId),
  );
}

/** O6. Throws as `cancelOrder`. */
export function pauseOrder(deps: ChangeOrderDeps, { userId, orderId }: Named): Promise<ChangedByPerson> {
  return changeOrder(
    deps,
    { userId, orderId },
    () => ({ kind: 'paused', orderId, reason: 'person' }),
    stopping(userId),
  );
}

/** Cancels or pauses every order of the person that it can be done to. Returns how many. */
export async function changeAllOrders(
  deps: ChangeOrderDeps,
  { userId, what }: { readonly userId: string; readonly what: 'cancel' | 'pause' },
): Promise<number> {
  const change = what === 'cancel' ? cancelOrder : pauseOrder;
  let changed = 0;
  for (const group of await deps.db.orders.listOpen(userId)) {
    for (const order of group.orders) {
      if (isClosed(order) || (what === 'pause' && order.status !== 'OPEN')) continue;
      // One that is over meanwhile is what was wanted.
      const done = await change(deps, { userId, orderId: order.id }).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'ORDER_NOT_CHANGEABLE') return null;
        throw error;
      });
      if (done !== null) changed += 1;
    }
  }
  return changed;
}

/** A stop is never refused. */
const stopping = (userId: string) => async (): Promise<Passed<OrderWriting>> =>
  passFree('order-stop', userId);

/**
 * One event of a person's own order, under the group's lock. `judge` has the word before that is taken, for the person's lock comes
 * first everywhere. Throws ORDER_NOT_FOUND, ORDER_NOT_CHANGEABLE.
 */
export async function changeOrder(
  deps: ChangeOrderDeps,
  { userId, orderId }: Named,
  eventOf: (order: Order) => OrderEvent,
  judge: (stores: Stores) => Promise<Passed<OrderWriting>>,
): Promise<ChangedByPerson> {
  const { group, effects } = await deps.db.transact(async (stores) => {
    const { orders } = stores;
    const passed = await judge(stores);
    const found = await orders.lock(orderId);
    const order = found?.orders.find(({ id }) => id === orderId);
    if (found === null || order === undefined || found.userId !== userId)
      throw new AppError('ORDER_NOT_FOUND', {});
    const transition = reduceOrders(found, eventOf(order));
    const isWritten =
      transition.writes.length > 0 && (await orders.write(passed, transition.group, transition.writes));
    if (!isWritten)
      throw new AppError('ORDER_NOT_CHANGEABLE', { number: order.number, status: order.status });
    await endLegsOfClosed({ orders }, transition.group, orderId);
    return transition;
  });
  deps.ordersChanged();
  const sent = await cancelled(deps, userId, effects);
  const after = sent === null ? group : ((await deps.db.orders.find(orderId)) ?? group);
  const order = after.orders.find(({ id }) => id === orderId);
  if (order === undefined) throw new AppError('ORDER_NOT_FOUND', {});
  return { group: after, order, sent: sent === 'sent' };
}

/** After the commit: never two locks at once, the group's and an intent's, in another order than a settlement takes them. */
async function cancelled(
  deps: ChangeOrderDeps,
  userId: string,
  effects: readonly OrderEffect[],
): Promise<'sent' | 'recalled' | null> {
  let result: 'sent' | 'recalled' | null = null;
  for (const effect of effects) {
    if (effect.kind !== 'cancel-intent') continue;
    const { cancelled: isRecalled } = await cancelIntent(deps, { intentId: effect.intentId, userId });
    result = isRecalled && result !== 'sent' ? 'recalled' : 'sent';
  }
  return result;
}
