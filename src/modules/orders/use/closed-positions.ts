import { hasAged } from '../../../core/time/age.ts';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Mark } from '../../../platform/ports/clock.ts';
import { foldPositions } from '../../positions/use/fold-positions.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import { endWith } from './hold-back.ts';
import type { OrderDeps } from './order-deps.ts';

/** A holding that was bought a moment ago may not show on every node yet. */
export const SURELY_SHOWN_MS = 60_000;
/** One node may be behind: nothing has to be seen for so long. */
const EMPTY_MS = 30_000;

/** Cancels the orders of a closed position. Otherwise they could sell a later purchase at an outdated price. */
export type ClosedPositions = {
  /** The units of an open order's wallet at a look; null = not known. */
  saw(order: Order, group: OrderGroup, held: bigint | null): Promise<void>;
  /** Forgets orders that are not open any more. */
  keep(orderIds: ReadonlySet<string>): void;
};

export function createClosedPositions(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'ids' | 'ordersChanged'>,
): ClosedPositions {
  const emptySince = new Map<string, Mark>();
  return {
    saw: async (order, group, held) => {
      if (group.units !== null || held === null) return;
      const isEmpty = held === 0n && hasAged(group.createdAt, SURELY_SHOWN_MS, deps.clock);
      const since = emptySince.get(order.id);
      if (isEmpty && since === undefined) emptySince.set(order.id, markOf(deps.clock));
      if (!isEmpty) emptySince.delete(order.id);
      if (!isEmpty || since === undefined || elapsedSince(since, deps.clock) < EMPTY_MS) return;
      emptySince.delete(order.id);
      if (!(await isBooked(deps, order))) await endWith(deps, order, 'position-closed');
    },
    keep: (orderIds) => {
      for (const id of emptySince.keys()) if (!orderIds.has(id)) emptySince.delete(id);
    },
  };
}

/**
 * Whether our own records say that the wallet holds the token. Its key is ours, so units leave it only by a trade of ours. A node that
 * shows none is behind or lies, and must not take away a stop.
 */
export async function isBooked(
  { db }: Pick<OrderDeps, 'db'>,
  { userId, walletId, mint }: Order,
): Promise<boolean> {
  const { positions } = await foldPositions(db, userId);
  return positions.some((one) => one.walletId === walletId && one.mint === mint && one.units > 0n);
}
