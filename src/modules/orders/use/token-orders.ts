import { type Address, MAX_U64 } from '@tradepost/solana';
import { type Book, type BookOrder, createBook, type PriceView } from '../rules/book.ts';
import { type Order, type OrderGroup, unitsToGive } from '../rules/order.ts';
import { compareRates, type Rate } from '../rules/rate.ts';
import { sizeClass } from '../rules/size-class.ts';
import { directionOf, rateIn } from '../rules/trigger.ts';
import type { OrderMark, TrailPeak } from '../store/order-feed-store-port.ts';
import { createLastSeen } from './last-seen.ts';

/** An order to fire, or the action instead of firing. */
export type Candidate = {
  readonly orderId: string;
  /** Of the order that this was seen of: its terms may be others by now. */
  readonly version: number;
  readonly slot: bigint;
  /** Of a trailing stop that fell. */
  readonly high: Rate | null;
  /** Its activation was held: from now on it trails, and nothing fires. */
  readonly activates: boolean;
};

/** The open orders of one token in memory: a hint for those that may fire. */
export type TokenOrders = {
  /** Takes an order as it is now; one that is not open leaves. */
  put(order: Order, group: OrderGroup, held: bigint): void;
  update(view: PriceView): readonly Candidate[];
  /** Forgets windows when nothing new came for too long. True when that happened now. */
  checkBlind(now: number): boolean;
  /** Hundredths of a percent to the nearest trigger; 0 while a window is open. */
  nearness(): number;
  /** Epoch milliseconds of the last new slot with a price; at first, when it began to look. */
  pricedAt(): number;
  orders(): readonly Order[];
  /** Forgets orders that are not open any more, also without a change that said so. */
  keep(orderIds: ReadonlySet<string>): void;
  has(orderId: string): boolean;
  size(): number;
  mark(): OrderMark | null;
  /** Highs that rose since the last call. */
  risenPeaks(at: number): readonly TrailPeak[];
};

/** The lane whose price a trailing stop follows, as peaks are kept by. */
function laneOf(order: Order, size: number): string {
  return `${order.side}:${order.unit}:${size}:${order.holdMs}`;
}

/** An order and the amount it would give now, above zero. */
type Sized = { readonly group: OrderGroup; readonly order: Order; readonly units: bigint };
type Entry = { readonly order: Order; readonly units: bigint; readonly isTrail: boolean };
/** The high of a trailing stop, and since when it follows the price. */
type Followed = { readonly since: number | null; readonly high: Rate | null };

/** The high of an order: of the peaks since it began to follow; null before the first. */
export function highFrom({ group, order, units }: Sized, peaks: readonly TrailPeak[]): Rate | null {
  const lanes = new Set(covers({ group, order, units }).map((size) => laneOf(order, size)));
  const since = order.progress.activatedAt ?? Number.POSITIVE_INFINITY;
  return peaks
    .filter((peak) => peak.mint === order.mint && lanes.has(peak.lane) && peak.at >= since)
    .reduce<Rate | null>(
      (most, { rate }) => (most === null || compareRates(rate, most) > 0 ? rate : most),
      null,
    );
}

/**
 * The size classes whose highs count for an order. They are the class of its present amount, and greater ones up to the amount it may have
 * had before others of its group sold. A greater size brings no better price, so the smaller one would have had at least its rate. Highs of
 * orders of other sizes do not count. For a position the earlier amount is not known.
 */
function covers({ group, order, units }: Sized): readonly number[] {
  const whole = { ...group, sold: 0n, liveFires: [] };
  const most = group.units === null ? MAX_U64 : unitsToGive(whole, { ...order, filled: 0n }, group.units);
  const least = sizeClass(units);
  const greatest = most > units ? sizeClass(most) : least;
  return Array.from({ length: greatest - least + 1 }, (_, index) => least + index);
}

export function createTokenOrders(mint: Address, peaks: readonly TrailPeak[], beginsAt: number): TokenOrders {
  const book = createBook();
  const entries = new Map<string, Entry>();
  const toldPeaks = new Map<string, Rate>();
  /** Of trailing stops that are not watched just now: one whose fire had no effect goes on below the same high. */
  const left = new Map<string, Followed>();
  const lastSeen = createLastSeen(beginsAt);

  const put: TokenOrders['put'] = (order, group, held) => {
    const before = entries.get(order.id);
    // Units that a fire binds may come back: only sold ones make the others smaller.
    const units = unitsToGive({ ...group, liveFires: [] }, order, held);
    if (before !== undefined && order.status === 'OPEN' && isKnown(before, order, units)) return;
    const followed = forget(order.id, order.status === 'TRIGGERED');
    if (order.status !== 'OPEN' || order.type === 'DCA') return;
    if (units === 0n) return;
    // One that was edited or resumed follows the price from then on, and its old high is none.
    const known = followed?.since === order.progress.activatedAt ? followed.high : null;
    const { id, side, unit, holdMs } = order;
    const condition = conditionOf(order, known ?? highFrom({ group, order, units }, peaks));
    // No look at its pools fires a sale at the creator's own: the tape is asked.
    if (condition === null && order.type !== 'DEV_SELLS') return;
    entries.set(id, { order, units, isTrail: condition?.kind === 'trail' });
    if (condition !== null) book.add({ id, side, unit, amount: units, holdMs, condition });
  };

  /** Takes it out, and returns the price that it followed. */
  const forget = (orderId: string, mayGoOn: boolean): Followed | null => {
    const followed = followedOf(entries.get(orderId), book) ?? left.get(orderId) ?? null;
    for (const memory of [entries, toldPeaks, left]) memory.delete(orderId);
    book.remove(orderId);
    if (mayGoOn && followed !== null) left.set(orderId, followed);
    return followed;
  };

  return {
    put,
    keep: (orderIds) => {
      for (const id of entries.keys()) if (!orderIds.has(id)) forget(id, true);
    },
    update: (view) => {
      const news = lastSeen.see(view);
      if (news === 'nothing') return [];
      if (news === 'anew') book.blind();
      return book.update(view).flatMap((orderId) => candidateOf(entries.get(orderId), view, book));
    },
    checkBlind: (now) => {
      const isBlind = lastSeen.turnsBlind(now);
      if (isBlind) book.blind();
      return isBlind;
    },
    nearness: () => (book.hasOpenWindows() ? 0 : nearest(lastSeen.view(), entries.values())),
    pricedAt: () => lastSeen.pricedAt(),
    orders: () => [...entries.values()].map(({ order }) => order),
    has: (orderId) => entries.has(orderId),
    size: () => entries.size,
    mark: () => markOf(mint, lastSeen.view()),
    risenPeaks: (at) => risenOf({ mint, entries: entries.values(), book, toldPeaks }, at),
  };
}

function candidateOf(
  entry: Entry | undefined,
  { slot }: PriceView,
  book: Pick<Book, 'highOf'>,
): readonly Candidate[] {
  if (entry === undefined) return [];
  const { id: orderId, type, version } = entry.order;
  const activates = type === 'TRAILING_STOP' && !entry.isTrail;
  return [{ orderId, version, slot, high: entry.isTrail ? book.highOf(orderId) : null, activates }];
}

function markOf(mint: Address, view: PriceView | null): OrderMark | null {
  return view === null ? null : { mint, slot: view.slot, price: view.atMost('sell', 0), at: view.at };
}

/**
 * A peak counts from when the last order that has seen it began to follow: one that was placed later, below it, must not find it
 * after a restart and fall from a price that it never saw.
 */
function risenOf(
  of: {
    readonly mint: Address;
    readonly entries: Iterable<Entry>;
    readonly book: Pick<Book, 'highOf'>;
    readonly toldPeaks: Map<string, Rate>;
  },
  now: number,
): readonly TrailPeak[] {
  const { mint, entries, book, toldPeaks } = of;
  const risen: TrailPeak[] = [];
  for (const { order, units, isTrail } of entries) {
    const rate = isTrail ? book.highOf(order.id) : null;
    if (rate === null) continue;
    const told = toldPeaks.get(order.id);
    if (told !== undefined && compareRates(rate, told) <= 0) continue;
    toldPeaks.set(order.id, rate);
    risen.push({ mint, lane: laneOf(order, sizeClass(units)), at: order.progress.activatedAt ?? now, rate });
  }
  return highestFrom(risen);
}

/** Without those that a peak of the same lane covers, which counts for as many orders and is as high. */
function highestFrom(peaks: readonly TrailPeak[]): readonly TrailPeak[] {
  const highest = new Map<string, Rate>();
  const newestFirst = peaks.toSorted((a, b) => b.at - a.at || compareRates(b.rate, a.rate));
  return newestFirst.filter(({ lane, rate }) => {
    const known = highest.get(lane);
    if (known !== undefined && compareRates(rate, known) <= 0) return false;
    highest.set(lane, rate);
    return true;
  });
}

/**
 * Whether a row says nothing new. A trailing order keeps the size at which its high was seen: like is compared with like. A holding of
 * nothing may be one that could not be read.
 */
function isKnown(before: Entry, { version }: Order, units: bigint): boolean {
  if (before.order.version !== version) return before.order.version > version;
  return before.isTrail || units === 0n || units === before.units;
}

function followedOf(entry: Entry | undefined, book: Pick<Book, 'highOf'>): Followed | null {
  if (entry === undefined || !entry.isTrail) return null;
  return { since: entry.order.progress.activatedAt, high: book.highOf(entry.order.id) };
}

/** The condition in the book: a trailing stop that is not active yet waits for its activation as for a price that rises. */
function conditionOf(order: Order, high: Rate | null): BookOrder['condition'] | null {
  const { trailing, event } = order.terms;
  if (event?.kind === 'liquidity-falls') return { kind: 'liquidity', event };
  if (order.type === 'TRAILING_STOP') {
    if (trailing === null) return null;
    if (order.progress.activatedAt !== null) return { kind: 'trail', trailingBps: trailing.bps, high };
    return trailing.activation === null
      ? null
      : { kind: 'price', direction: 'RISE', trigger: trailing.activation };
  }
  const direction = directionOf(order.type);
  return direction === null || order.trigger === null
    ? null
    : { kind: 'price', direction, trigger: order.trigger };
}

/** The rest of a pool may follow at any moment: it is looked at as often as a price that is this near. */
const NEAR_FALL_BPS = 1_000;

/** How far the price at zero size is from the nearest trigger. Only decides how often to look. */
function nearest(view: PriceView | null, entries: Iterable<Entry>): number {
  if (view === null) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const { order, isTrail } of entries) {
    // A stop that trails may be passed at any moment.
    if (isTrail) return 100;
    if (order.type === 'LIQUIDITY_FALLS') least = Math.min(least, NEAR_FALL_BPS);
    const trigger = order.trigger ?? order.terms.trailing?.activation ?? null;
    const spot = view.atMost(order.side, 0);
    const rate = spot === null ? null : rateIn(order.unit, order.side, spot, view.solUsd, view.at);
    if (trigger === null || rate === null) continue;
    const ratio = Number((rate.got * trigger.given * 10_000n) / (rate.given * trigger.got));
    least = Math.min(least, Math.abs(ratio - 10_000));
  }
  return least;
}
