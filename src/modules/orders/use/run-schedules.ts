import { reduceOrders } from '../rules/machine.ts';
import type { Order } from '../rules/order.ts';
import { nextRound, SCHEDULE_START, type ScheduleProgress } from '../rules/schedule.ts';
import { carryOut, DESK } from './carry-out.ts';
import type { FireQueue } from './fire-queue.ts';
import type { FireDeps } from './order-deps.ts';
import { tellOrder } from './tell-order.ts';

/** Fires rounds that are due, and moves those to the end whose window is over: nothing is caught up. */
export async function runSchedules(deps: FireDeps, fires: FireQueue, now: number): Promise<void> {
  for (const { order, group } of fires.scheduled()) {
    const { schedule } = order.terms;
    if (schedule === null || order.status !== 'OPEN') continue;
    const total = order.amount.kind === 'fixed' ? order.amount.units : (group.units ?? 0n);
    const next = nextRound({ ...schedule, total }, order.progress.schedule ?? SCHEDULE_START, now);
    // A round has no slot of its own: its order's back-off ends with the next look.
    if (next.kind === 'due')
      fires.add(order.mint, { orderId: order.id, slot: order.notBeforeSlot ?? 0n, high: null });
    if (next.kind === 'missed') await moveRounds(deps, order, next.progress);
  }
}

async function moveRounds(deps: FireDeps, order: Order, schedule: ScheduleProgress): Promise<void> {
  await deps.db.transact(async (stores) => {
    const group = await stores.orders.lock(order.id);
    const fresh = group?.orders.find(({ id }) => id === order.id);
    if (group === null || fresh?.version !== order.version) return;
    const progress = { ...order.progress, schedule };
    const moved = reduceOrders(group, {
      kind: 'held-back',
      orderId: order.id,
      notBeforeSlot: null,
      progress,
    });
    if (moved.writes.length === 0 || !(await carryOut(stores, DESK, moved))) return;
    await tellOrder(deps, stores, order, { event: 'missed', code: null, n: order.fires });
  });
  deps.ordersChanged();
}
