import type { LiquidityFalls, liquidityOf } from './event-trigger.ts';
import type { Look } from './hold-window.ts';
import { createHoldWindows, type HoldWindows } from './hold-windows.ts';
import { createLiquidityShelf, type LiquidityShelf } from './liquidity-shelf.ts';
import type { OrderSide, PriceUnit } from './order.ts';
import { compareRates, type Rate } from './rate.ts';
import { sizeClass } from './size-class.ts';
import { createSortedTriggers, type SortedTriggers } from './sorted-triggers.ts';
import { createTrailBook, type TrailBook } from './trail-book.ts';
import { type Direction, isTrue, rateIn, type SolUsd } from './trigger.ts';

/** The book's facts about an order. `amount` is the amount it would give now, above zero. */
export type BookOrder = {
  readonly id: string;
  readonly side: OrderSide;
  readonly unit: PriceUnit;
  readonly amount: bigint;
  readonly holdMs: number;
  readonly condition:
    | { readonly kind: 'price'; readonly direction: Direction; readonly trigger: Rate }
    /**
     * Active already; before its activation it is a RISE order here, with the same `holdMs`. `high` is the high known from before; null = the next held rate.
     */
    | { readonly kind: 'trail'; readonly trailingBps: number; readonly high: Rate | null }
    | { readonly kind: 'liquidity'; readonly event: LiquidityFalls };
};

/** The pools of one mint at one believed slot, seen through rates in SOL. */
export type PriceView = Omit<Look, 'isTrue'> & {
  readonly solUsd: SolUsd | null;
  /** See `liquidityOf`. */
  liquidity(): ReturnType<typeof liquidityOf>;
  /** No amount of the class gets a better rate, e.g. the best rate at zero size. Null = no route. */
  atMost(side: OrderSide, size: number): Rate | null;
  /** The upper edge of the class gets no better rate. */
  edgeAtMost(side: OrderSide, size: number): Rate | null;
  /** Every amount of the class gets at least this rate (`leastOfClass`). */
  atLeast(side: OrderSide, size: number): Rate | null;
  /** The rate at the upper edge of the class: the price that trails follow. Near the result of `quote`, and always made in the same way. */
  edge(side: OrderSide, size: number): Rate | null;
  /** The exact rate of an amount lies between these two; cheap. `quoteAtMost` null = no route. */
  quoteAtMost(side: OrderSide, amount: bigint): Rate | null;
  quoteAtLeast(side: OrderSide, amount: bigint): Rate | null;
  /** The exact rate of an amount; costly. Null = no route. */
  quote(side: OrderSide, amount: bigint): Rate | null;
};

/** The open orders of one mint. A hint for orders that may fire: the database decides. */
export type Book = {
  add(order: BookOrder): void;
  remove(id: string): void;
  /** Ids whose condition was true for their time without a break, this one included. */
  update(view: PriceView): readonly string[];
  /** Nothing is known any more: every window starts anew. Highs stay. */
  blind(): void;
  /** Whether a window is open: then each believed slot is wanted, whether the pools changed or not. */
  hasOpenWindows(): boolean;
  /** The high that a trailing stop follows, in its own unit, to be kept over a restart. */
  highOf(id: string): Rate | null;
};

const NOTHING: Rate = { got: 0n, given: 1n };

type PriceOrder = BookOrder & { readonly condition: Extract<BookOrder['condition'], { kind: 'price' }> };

/** Orders that one pair of bounds decides. */
type Shelf = {
  readonly side: OrderSide;
  readonly unit: PriceUnit;
  readonly size: number;
  readonly direction: Direction;
  readonly triggers: SortedTriggers;
};

/**
 * Never a quote per order. Per side, unit, direction and size class the triggers are sorted. The bounds of the class name a head of the
 * list that may be true, and within it a part that is surely true. The orders in between are judged by the bounds of their own amounts, and
 * quoted only where these decide nothing either.
 */
export function createBook(): Book {
  const orders = new Map<string, BookOrder>();
  const shelves = new Map<string, Shelf>();
  const trails: TrailBook = createTrailBook();
  const falls: LiquidityShelf = createLiquidityShelf();
  const windows: HoldWindows = createHoldWindows();

  const remove = (id: string): void => {
    const order = orders.get(id);
    if (order === undefined) return;
    orders.delete(id);
    windows.close(id);
    if (!isPriced(order)) {
      trails.remove(id);
      falls.remove(id);
      return;
    }
    const key = shelfKey(order);
    const shelf = shelves.get(key);
    shelf?.triggers.remove(id, order.condition.trigger);
    if (shelf?.triggers.isEmpty() === true) shelves.delete(key);
  };

  const add = (order: BookOrder): void => {
    remove(order.id);
    orders.set(order.id, order);
    if (!isPriced(order)) {
      if (order.condition.kind === 'liquidity') falls.add(order.id, order.condition.event);
      else trails.add(order);
      return;
    }
    const key = shelfKey(order);
    const shelf = shelves.get(key) ?? newShelf(order);
    shelves.set(key, shelf);
    shelf.triggers.add(order.id, order.condition.trigger);
  };

  const update = (view: PriceView): readonly string[] => {
    const found = [...shelves.values()].flatMap((shelf) => trueOf(shelf, view, orders));
    found.push(...trails.update(view), ...falls.whereTrue(view));
    return windows.observe(found, view, (id) => orders.get(id)?.holdMs ?? Number.POSITIVE_INFINITY);
  };

  const blind = (): void => {
    windows.clear();
    trails.blind();
  };

  return {
    add,
    remove,
    update,
    blind,
    hasOpenWindows: () => windows.areOpen(),
    highOf: (id) => trails.highOf(id),
  };
}

/** The orders of a shelf whose condition is true now. */
function trueOf(shelf: Shelf, view: PriceView, orders: ReadonlyMap<string, BookOrder>): readonly string[] {
  const { side, unit, size, direction } = shelf;
  const inUnit = (rate: Rate | null): Rate | null =>
    rate === null ? null : rateIn(unit, side, rate, view.solUsd, view.at);
  const most = inUnit(view.atMost(side, size));
  if (most === null) return [];
  // Where nothing is known of the worst, it may be anything: everything that may be true is quoted.
  const least = inUnit(view.atLeast(side, size)) ?? NOTHING;
  const [may, must] = direction === 'RISE' ? [most, least] : [least, most];
  const found: string[] = [];
  for (const { id, trigger } of shelf.triggers.whereTrue(may)) {
    if (isTrue(direction, trigger, must)) {
      found.push(id);
      continue;
    }
    const amount = orders.get(id)?.amount;
    if (amount !== undefined && isTrueFor(amount, trigger, { direction, side, view, inUnit })) found.push(id);
  }
  return found;
}

/** As an exact quote of the amount says, which is made only where its bounds leave it open. */
function isTrueFor(
  amount: bigint,
  trigger: Rate,
  {
    direction,
    side,
    view,
    inUnit,
  }: Pick<Shelf, 'direction' | 'side'> & {
    readonly view: PriceView;
    readonly inUnit: (rate: Rate | null) => Rate | null;
  },
): boolean {
  const most = inUnit(view.quoteAtMost(side, amount));
  if (most === null) return false;
  const least = inUnit(view.quoteAtLeast(side, amount)) ?? NOTHING;
  const [may, must] = direction === 'RISE' ? [most, least] : [least, most];
  if (!isTrue(direction, trigger, may)) return false;
  // A way that may give nothing is no way: only a quote says that there is a price.
  if (least.got > 0n && isTrue(direction, trigger, must)) return true;
  const exact = inUnit(view.quote(side, amount));
  return exact !== null && isTrue(direction, trigger, exact);
}

function isPriced(order: BookOrder): order is PriceOrder {
  return order.condition.kind === 'price';
}

function shelfKey({ side, unit, amount, condition }: PriceOrder): string {
  return `${side}:${unit}:${condition.direction}:${sizeClass(amount)}`;
}

function newShelf({ side, unit, amount, condition }: PriceOrder): Shelf {
  const { direction } = condition;
  // RISE: the lowest trigger is met first. FALL: the highest.
  const nearestFirst = direction === 'RISE' ? compareRates : (a: Rate, b: Rate) => compareRates(b, a);
  return { side, unit, size: sizeClass(amount), direction, triggers: createSortedTriggers(nearestFirst) };
}
