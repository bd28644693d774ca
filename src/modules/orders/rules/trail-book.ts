import type { BookOrder, PriceView } from './book.ts';
import { createHeldLow, type HeldLow } from './held-low.ts';
import { BLIND_MS } from './hold-window.ts';
import type { Rate } from './rate.ts';
import { sizeClass } from './size-class.ts';
import { createTrail, type Trail } from './trail.ts';
import { rateIn } from './trigger.ts';

/** The trailing stops of one mint. They follow the price at the upper edge of their size class: like is compared with like. */
export type TrailBook = {
  add(order: BookOrder): void;
  remove(id: string): void;
  /** Raises the highs and returns those that lie far enough below theirs. */
  update(view: PriceView): readonly string[];
  /** The last prices count no more; highs stay. */
  blind(): void;
  highOf(id: string): Rate | null;
};

type Lane = Pick<BookOrder, 'side' | 'unit'> & {
  readonly size: number;
  readonly trail: Trail;
  readonly low: HeldLow;
  readonly ids: Set<string>;
  lastSlot: bigint | null;
  lastAt: number;
};

export function createTrailBook(): TrailBook {
  const lanes = new Map<string, Lane>();
  return {
    add(order) {
      if (order.condition.kind !== 'trail') throw new RangeError('orders: not a trailing stop');
      const key = `${order.side}:${order.unit}:${sizeClass(order.amount)}:${order.holdMs}`;
      const lane = lanes.get(key) ?? newLane(order);
      lanes.set(key, lane);
      lane.ids.add(order.id);
      lane.trail.add(order.id, order.condition.trailingBps, order.condition.high);
    },
    remove(id) {
      for (const [key, lane] of lanes) {
        if (!lane.ids.delete(id)) continue;
        lane.trail.remove(id);
        if (lane.ids.size === 0) lanes.delete(key);
      }
    },
    update: (view) => [...lanes.values()].flatMap((lane) => fallenIn(lane, view)),
    blind() {
      for (const lane of lanes.values()) {
        lane.low.clear();
        lane.lastSlot = null;
      }
    },
    highOf: (id) => [...lanes.values()].find(({ ids }) => ids.has(id))?.trail.highOf(id) ?? null,
  };
}

function newLane({ side, unit, amount, holdMs }: BookOrder): Lane {
  return {
    side,
    unit,
    size: sizeClass(amount),
    trail: createTrail(),
    low: createHeldLow(holdMs),
    ids: new Set(),
    lastSlot: null,
    lastAt: 0,
  };
}

function fallenIn(lane: Lane, view: PriceView): readonly string[] {
  if (lane.lastSlot !== null && view.slot < lane.lastSlot) return [];
  const { side, unit, size } = lane;
  const inUnit = (rate: Rate | null): Rate | null =>
    rate === null ? null : rateIn(unit, side, rate, view.solUsd, view.at);
  const exact = (): Rate | null => inUnit(view.edge(side, size));
  const [least, most] = [inUnit(view.atLeast(side, size)), inUnit(view.edgeAtMost(side, size))];
  // A way that surely gives something, between bounds that decide nothing, needs no quote: it is made later if a look asks.
  const isStill = least !== null && most !== null && least.got > 0n && lane.trail.isStill(least, most);
  const rate = isStill ? least : exact();
  if (rate === null) {
    lane.low.clear();
    return [];
  }
  // The same rules as for a window: a pump must not be stretched over slots that were not seen.
  const gap = lane.lastSlot !== null && view.slot > lane.lastSlot + 1n && view.how === 'followed';
  const isRepeat = view.slot === lane.lastSlot;
  if (gap || (!isRepeat && view.at - lane.lastAt > BLIND_MS)) lane.low.clear();
  lane.lastSlot = view.slot;
  if (!isRepeat) lane.lastAt = view.at;
  if (!isRepeat) lane.low.push(isStill ? () => exact() ?? least : () => rate, view);
  if (isStill) return [];
  if (!isRepeat) {
    const held = lane.low.low();
    if (held !== null) lane.trail.raise(held);
  }
  return lane.trail.fallen(rate);
}
