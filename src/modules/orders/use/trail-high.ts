import { type Order, type OrderGroup, unitsToGive } from '../rules/order.ts';
import type { Rate } from '../rules/rate.ts';
import { thresholdOf } from '../rules/trail.ts';
import type { OrderFeedStore } from '../store/order-feed-store-port.ts';
import { heldUnits } from './held-units.ts';
import type { OrderDeps } from './order-deps.ts';
import { highFrom } from './token-orders.ts';

/** A trailing stop's high, and the rate at or below which it fires, both for its size and in its unit. */
export type TrailHigh = { readonly high: Rate; readonly threshold: Rate };

/**
 * The high as the evaluator last wrote it, up to two seconds old. Null for an order that follows no price now, before the first high, and
 * where it was seen for a smaller size than the order's present amount.
 */
export async function trailHigh(
  deps: Pick<OrderDeps, 'db' | 'market'> & { readonly orderFeed: Pick<OrderFeedStore, 'peaks'> },
  group: OrderGroup,
  order: Order,
): Promise<TrailHigh | null> {
  const { trailing } = order.terms;
  if (trailing === null || order.status !== 'OPEN' || order.progress.activatedAt === null) return null;
  const units = unitsToGive({ ...group, liveFires: [] }, order, (await heldUnits(deps, group, order)) ?? 0n);
  if (units === 0n) return null;
  const high = highFrom({ group, order, units }, await deps.orderFeed.peaks([order.mint]));
  return high === null ? null : { high, threshold: thresholdOf(high, trailing.bps) };
}
