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

/** Ends orders on positions that are sold or sent away: they must not sell what is bought some other day, at a price of before. */
export type ClosedPositions = {
  /** What an open order's wallet held at a look; null = not known. */
  saw(order: Order, group: OrderGroup, held: bigint | null): Promise<void>;
  /** Forgets what is not open any more. */
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
 * Whether our own records say that the wallet holds the token. Its key is ours, so what leaves it leaves by a trade of ours; a node
 * that shows nothing of it is behind or lies, and must not take away a stop.
 */
export async function isBooked(
  { db }: Pick<OrderDeps, 'db'>,
  { userId, walletId, mint }: Order,
): Promise<boolean> {
  const { positions } = await foldPositions(db, userId);
  return positions.some((one) => one.walletId === walletId && one.mint === mint && one.units > 0n);
}
