import { backOffSlots, mayTell } from '../rules/budget.ts';
import { reduceOrders } from '../rules/machine.ts';
import type { CancelReason, Order, PauseReason } from '../rules/order.ts';
import { carryOut, DESK } from './carry-out.ts';
import type { OrderDeps } from './order-deps.ts';
import { endLegsOfClosed } from './settle-order.ts';
import { tellOrder } from './tell-order.ts';

/** Why an order whose condition was met did not fire. */
export type HeldBackCode =
  | 'price-back'
  | 'floor'
  | 'too-dear'
  | 'blind'
  | 'funds'
  | 'no-route'
  | 'impact'
  | 'not-transferable'
  | 'stopped'
  | 'unreachable';

/** Those that a person can do something about. */
const TOLD: ReadonlySet<HeldBackCode> = new Set(['floor', 'too-dear', 'funds', 'impact', 'not-transferable']);
/** Those that pass by themselves, mostly in a moment: nothing is written. */
const PASSING: ReadonlySet<HeldBackCode> = new Set(['price-back', 'blind', 'unreachable', 'stopped']);

type HoldDeps = Pick<OrderDeps, 'db' | 'clock' | 'ids' | 'ordersChanged'>;

/** Nothing was signed and nothing is lost: it stays open, waits a little longer each time, and says why once an hour. */
export async function holdBack(
  deps: HoldDeps,
  order: Order,
  slot: bigint,
  code: HeldBackCode,
): Promise<{ readonly kind: 'held-back'; readonly code: HeldBackCode }> {
  if (PASSING.has(code)) return { kind: 'held-back', code };
  const now = deps.clock.now();
  const tells = TOLD.has(code) && mayTell(order.progress.told[code] ?? null, now);
  const refusals = order.progress.refusals + 1;
  const progress = {
    ...order.progress,
    refusals,
    note: { code, at: now },
    told: tells ? { ...order.progress.told, [code]: now } : order.progress.told,
  };
  await deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(order.id);
    if (group === null) return;
    const notBeforeSlot = slot + BigInt(backOffSlots(refusals));
    const transition = reduceOrders(group, { kind: 'held-back', orderId: order.id, notBeforeSlot, progress });
    const fresh = group.orders.find(({ id }) => id === order.id);
    if (fresh?.version !== order.version || !(await carryOut(stores, DESK, transition)) || !tells) return;
    await tellOrder(deps, stores, order, { event: 'held-back', code, n: order.fires });
  });
  return { kind: 'held-back', code };
}

/** Nothing of it can be done any more. */
export async function endWith(
  deps: HoldDeps,
  order: Order,
  reason: CancelReason,
): Promise<{ readonly kind: 'gone' }> {
  await deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(order.id);
    if (group === null) return;
    const transition = reduceOrders(group, { kind: 'cancelled', orderId: order.id, reason });
    if (transition.writes.length === 0 || !(await carryOut(stores, DESK, transition))) return;
    await endLegsOfClosed(stores, transition.group, order.id);
    await tellOrder(deps, stores, order, { event: 'cancelled', code: reason, n: order.fires });
  });
  deps.ordersChanged();
  return { kind: 'gone' };
}

/** Pauses an order that its person has to decide on, with the reason, and notifies the person. */
export async function pauseWith(
  deps: HoldDeps,
  order: Order,
  reason: PauseReason,
  doubts?: readonly string[],
): Promise<{ readonly kind: 'paused'; readonly reason: PauseReason }> {
  await deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(order.id);
    if (group === null) return;
    const transition = reduceOrders(group, {
      kind: 'paused',
      orderId: order.id,
      reason,
      ...(doubts === undefined ? {} : { doubts }),
    });
    if (transition.writes.length === 0 || !(await carryOut(stores, DESK, transition))) return;
    await tellOrder(deps, stores, order, { event: 'paused', code: reason, n: order.fires });
  });
  deps.ordersChanged();
  return { kind: 'paused', reason };
}
