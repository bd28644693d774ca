import { isYoung } from '../../../core/time/age.ts';
import { reduceOrders } from '../rules/machine.ts';
import type { Order } from '../rules/order.ts';
import { EXIT_TRIES_MS } from '../rules/sealed-fire.ts';
import { carryOut, DESK } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { endLegsOfClosed } from './settle-order.ts';
import { tellOrder } from './tell-order.ts';

/** Whether its time is over and its rest is sold now, as by a stop. One that is paused expires unsold. */
export function isExiting(order: Order, now: number): boolean {
  return (
    order.status === 'OPEN' &&
    order.terms.sellsOnExpiry &&
    now >= order.expiresAt &&
    isYoung(order.expiresAt, EXIT_TRIES_MS, now)
  );
}

/**
 * Whether a stop has sold what one account held, and sells what another holds now, at any price: it was passed for
 * all of it. What rises, and what trails a high, is judged by the price of then.
 */
export function isFollowingStop({ status, type, progress }: Order): boolean {
  return status === 'OPEN' && type === 'STOP_LOSS' && progress.follows === true;
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
    if (transition.writes.length === 0 || !(await carryOut(stores, DESK, transition)))
      return { kind: 'left' };
    await endLegsOfClosed(stores, transition.group, orderId);
    await tellOrder(deps, stores, order, { event: 'expired', code: null, n: order.fires });
    return { kind: 'expired' };
  });
}

/**
 * Pauses an open order whose grant is over, and tells its person while there is time: a stop that would pause only when it fires
 * protects no one. False where it was kept or changed meanwhile.
 */
export async function pauseUngranted(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ids'>,
  orderId: string,
): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    const until = order?.terms.grants?.until;
    if (group === null || order === undefined || until === undefined) return false;
    if (order.status !== 'OPEN' || until > deps.clock.now()) return false;
    const transition = reduceOrders(group, { kind: 'paused', orderId, reason: 'locked' });
    if (transition.writes.length === 0 || !(await carryOut(stores, DESK, transition))) return false;
    await tellOrder(deps, stores, order, { event: 'paused', code: 'locked', n: order.fires });
    return true;
  });
}
