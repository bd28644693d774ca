import { AppError } from '../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../core/guard/freeze.ts';
import { reduceOrders } from '../../core/orders/machine.ts';
import { isClosed, type Order, type OrderGroup } from '../../core/orders/order.ts';
import type { OrderEffect, OrderEvent } from '../../core/orders/transition.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';
import { cancelIntent } from '../transactions/cancel-intent.ts';
import type { CommitDeps } from '../transactions/commit-transition.ts';
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
  return changeOrder(deps, userId, orderId, () => ({ kind: 'cancelled', orderId, reason: 'person' }));
}

/** O6. Throws as `cancelOrder`. */
export function pauseOrder(deps: ChangeOrderDeps, { userId, orderId }: Named): Promise<ChangedByPerson> {
  return changeOrder(deps, userId, orderId, () => ({ kind: 'paused', orderId, reason: 'person' }));
}

/** O6: windows and highs start anew. Throws as `cancelOrder`, and ACCOUNT_FROZEN. */
export async function resumeOrder(
  deps: ChangeOrderDeps,
  { userId, orderId }: Named,
): Promise<ChangedByPerson> {
  const at = deps.clock.now();
  assertNotFrozen(await deps.db.guards.find(userId), at);
  return changeOrder(deps, userId, orderId, () => ({ kind: 'resumed', orderId, at }));
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

/** One event of a person's own order, under the group's lock. Throws ORDER_NOT_FOUND, ORDER_NOT_CHANGEABLE. */
export async function changeOrder(
  deps: ChangeOrderDeps,
  userId: string,
  orderId: string,
  eventOf: (order: Order) => OrderEvent,
): Promise<ChangedByPerson> {
  const { group, effects } = await deps.db.transact(async ({ orders }) => {
    const found = await orders.lock(orderId);
    const order = found?.orders.find(({ id }) => id === orderId);
    if (found === null || order === undefined || found.userId !== userId)
      throw new AppError('ORDER_NOT_FOUND', {});
    const transition = reduceOrders(found, eventOf(order));
    const isWritten =
      transition.writes.length > 0 && (await orders.write(transition.group, transition.writes));
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
