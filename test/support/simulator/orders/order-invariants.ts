import { orderOf, tradeOf } from '../../../../src/engine/intents/kinds/rules.ts';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { isFrozen } from '../../../../src/modules/guard/rules/freeze.ts';
import { isEventType } from '../../../../src/modules/orders/rules/event-trigger.ts';
import { isClosed, type Order, type OrderGroup } from '../../../../src/modules/orders/rules/order.ts';
import { compareRates } from '../../../../src/modules/orders/rules/rate.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Landing } from '../cluster.ts';
import { HOLDING } from './order-people.ts';
import type { PricePath } from './price-path.ts';
import { quotedAt } from './sim-market.ts';
import { CREATOR, HEIR, type TokenLife } from './token-life.ts';

/** How far back a price may lie that was held long enough: a feed that lags, a database that answers late, a process that was stopped. */
const LOOK_BACK_SLOTS = 600n;
/** A token that is polled is seen now and then: what lies between two looks within ten seconds is not known. */
const UNSEEN_SLOTS = 25n;
/** How much a share or a rest was of is not known here: what rises is judged at the least size, what falls at the greatest. */
const LEAST = 1_000_000n;
const MOST = 2n * HOLDING;
/** A trailing stop follows the price at the upper edge of its size class, which is up to four times its own size. */
const TRAIL_SLACK = 1.02;
/** Reserves are whole numbers. */
const ROUNDING = 1.000_001;

type Watched = {
  readonly db: Pick<Database, 'orders' | 'guards' | 'intents'>;
  readonly now: () => number;
  readonly slot: () => bigint;
  readonly pathOf: (order: Order) => PricePath;
  /** Of the token whose events orders wait for. */
  readonly life: TokenLife;
  readonly say: (text: string) => void;
};

/** What must be true of orders in every run. Knows the true prices and the blocks, and nothing of how orders are watched. */
export function createOrderInvariants({ db, now, slot, pathOf, life, say }: Watched) {
  const fired = new Map<string, string>();
  const placedAt = new Map<string, bigint>();

  async function judgeFire(intent: Intent, order: Order): Promise<void> {
    const trade = tradeOf(intent.params);
    if (trade === null) return say(`${intent.id} of an order is no trade`);
    const guard = await db.guards.find(order.userId);
    if (isFrozen(guard, now()) && (guard.frozenAt ?? now()) < now())
      say(`${order.type} ${order.id} fired while its owner was frozen`);
    if (!isAtLeast(order, trade.terms))
      say(`${order.type} ${order.id} may end outside of its limit or floor`);
    const since = { from: placedAt.get(order.id) ?? 0n, to: slot() };
    if (isEventType(order.type)) {
      if (!hasHappened(order, { path: pathOf(order), life }, since))
        say(`${order.type} ${order.id} fired without its event`);
    } else if (!wasHeld(order, pathOf(order), since))
      say(`${order.type} ${order.id} fired though its price was never there for ${order.holdMs} ms`);
  }

  return {
    onPlaced: (group: OrderGroup): void => {
      for (const { id } of group.orders) placedAt.set(id, slot());
    },

    /** An intent is written down: the order is read as it was when it fired. */
    onIntent(intent: Intent): void {
      const child = orderOf(intent.params);
      if (child === null) return;
      const key = `${child.id}:${child.n}`;
      const before = fired.get(key);
      if (before !== undefined && before !== intent.id)
        say(`${key} was fired for ${before} and for ${intent.id}`);
      fired.set(key, intent.id);
      db.orders.find(child.id).then(
        (group) => {
          const order = group?.orders.find(({ id }) => id === child.id);
          return order === undefined
            ? say(`${intent.id} is of an order that is not there`)
            : judgeFire(intent, order);
        },
        (error: unknown) => say(String(error)),
      );
    },

    /** Orders against the blocks, when nothing runs any more. */
    async checkBooks(
      orderIds: Iterable<string>,
      intents: readonly Intent[],
      landed: ReadonlyMap<string, readonly Landing[]>,
    ): Promise<void> {
      const groups = new Map<string, OrderGroup>();
      for (const id of orderIds) {
        const group = await db.orders.find(id);
        if (group !== null) groups.set(group.id, group);
      }
      for (const group of groups.values()) {
        let ofGroup = 0n;
        for (const order of group.orders) {
          const children = intents.filter(({ params }) => orderOf(params)?.id === order.id);
          const sum = (some: readonly Intent[]): bigint =>
            some.reduce((units, { params }) => units + (tradeOf(params)?.terms.amountIn ?? 0n), 0n);
          const onChain = children.filter(
            ({ id }) => landed.get(id)?.some(({ err }) => err === null) === true,
          );
          const booked = children.filter(({ status }) => status === 'SUCCEEDED');
          ofGroup += sum(onChain);
          // Units that another leg's fire binds are left for a fire of their own.
          const others = intents.filter(
            ({ params }) => orderOf(params)?.id !== order.id && isOf(group, orderOf(params)?.id),
          );
          if (isEventType(order.type) && onChain.length > 1 + others.length)
            say(`${order.type} ${order.id} sold ${onChain.length} times for one event`);
          if (order.filled !== sum(booked))
            say(`${order.type} ${order.id} says ${order.filled} given, its children ${sum(booked)}`);
          if (order.amount.kind === 'fixed' && sum(onChain) > order.amount.units)
            say(`${order.type} ${order.id} gave ${sum(onChain)} of ${order.amount.units}`);
          if (isClosed(order) && group.liveFires.some(({ orderId }) => orderId === order.id))
            say(`${order.type} ${order.id} is ${order.status} with a live fire`);
        }
        if (group.units !== null && ofGroup > group.units)
          say(`the group ${group.id} gave ${ofGroup} of ${group.units}`);
        const isUsedUp = group.units !== null && group.sold > 0n && group.sold >= group.units;
        if (isUsedUp && !group.orders.every(isClosed))
          say(`the group ${group.id} has sold everything, and an order of it is open`);
      }
    },

    /** What is still open though the weather was fine, its price was there and its owner could pay. */
    async stuck(orderIds: Iterable<string>): Promise<readonly string[]> {
      const found: string[] = [];
      for (const id of orderIds) {
        const group = await db.orders.find(id);
        const order = group?.orders.find((one) => one.id === id);
        if (group === null || order === undefined || isClosed(order)) continue;
        // Those wait for a person.
        if (order.status === 'PAUSED' || (await waitsForPerson(group))) continue;
        if (order.status === 'WAITING' && (await parentWaits(order, orderIds))) continue;
        found.push(
          `${order.type} ${id} is ${order.status} (${order.progress.note?.code ?? order.reason ?? ''})`,
        );
      }
      return found;
    },
  };

  async function waitsForPerson(group: OrderGroup): Promise<boolean> {
    for (const { intentId } of group.liveFires)
      if ((await db.intents.find(intentId))?.status === 'NEEDS_REVIEW') return true;
    return false;
  }

  /** Legs of an entry that waits for a person wait with it. */
  async function parentWaits(leg: Order, orderIds: Iterable<string>): Promise<boolean> {
    for (const id of orderIds) {
      const group = await db.orders.find(id);
      const entry = group?.orders.find((one) => one.id === id);
      if (group === null || entry === undefined || entry.userId !== leg.userId || entry.side !== 'buy')
        continue;
      if (entry.status === 'PAUSED' || (await waitsForPerson(group))) return true;
    }
    return false;
  }
}

function isOf({ orders }: OrderGroup, orderId: string | undefined): boolean {
  return orders.some(({ id }) => id === orderId);
}

/** The minimum that is enforced on chain keeps the limit of what rises and the floor of what falls. */
function isAtLeast(order: Order, terms: { readonly amountIn: bigint; readonly minOut: bigint }): boolean {
  const least = order.type === 'LIMIT' || order.type === 'TAKE_PROFIT' ? order.trigger : order.terms.floor;
  return least === null || compareRates({ got: terms.minOut, given: terms.amountIn }, least) >= 0;
}

/** Slots of the simulated cluster, of 400 ms, for which an order's price must hold. */
const slotsOf = ({ holdMs }: Order): number => Math.max(1, holdMs / 400);

/** Whether the true price was there for so many slots, as far as somebody who looks can tell, between the placing and now. */
function wasHeld(
  order: Order,
  path: PricePath,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): boolean {
  if (order.type === 'DCA') return true;
  const isTrue = order.trigger === null ? fallenBelow(order, path, from) : reached(order, path);
  return wasTrue(order, isTrue, { from, to });
}

/**
 * Whether the creator had sold enough since the agreed slot, in trades that stood then, or the depth lay low enough for the hold. The rule is
 * written anew here: a wrong one in the product does not agree with itself.
 */
function hasHappened(
  order: Order,
  { path, life }: { readonly path: PricePath; readonly life: TokenLife },
  { from, to }: { readonly from: bigint; readonly to: bigint },
): boolean {
  const { event } = order.terms;
  if (event === undefined) return false;
  if (event.kind === 'liquidity-falls') {
    const most = (Number(event.liquidity) * (10_000 - event.fallBps) * ROUNDING) / 10_000;
    return wasTrue(order, (slot) => path.depthAt(slot) <= most, { from, to });
  }
  const hasSold = (slot: bigint): boolean => {
    let sold = 0;
    for (const trade of life.tradesAt(slot))
      if (trade.trader === CREATOR && trade.isSale && trade.slot > event.sinceSlot)
        sold += Number(trade.units);
    sold += soldByHeir(life, slot, event.sinceSlot);
    return sold >= Number(event.supply) / 100 || (event.held > 0n && sold >= Number(event.held) / 2);
  };
  return wasTrue(order, hasSold, { from: event.sinceSlot, to });
}

/** Units that the heir sold since it got tokens after a slot, at most those that it got. */
function soldByHeir(life: TokenLife, slot: bigint, sinceSlot: bigint): number {
  const gifts = life.movesAt(slot).filter((move) => move.slot > sinceSlot);
  const [first] = gifts;
  if (first === undefined) return 0;
  const got = gifts.reduce((sum, { units }) => sum + Number(units), 0);
  const sold = life
    .tradesAt(slot)
    .filter((trade) => trade.trader === HEIR && trade.isSale && trade.slot >= first.slot)
    .reduce((sum, { units }) => sum + Number(units), 0);
  return Math.min(got, sold);
}

/** Whether something was true for the order's hold without a break that can be seen. */
function wasTrue(
  order: Order,
  isTrue: (slot: bigint) => boolean,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): boolean {
  const first = from > to - LOOK_BACK_SLOTS ? from : to - LOOK_BACK_SLOTS;
  const slots = Array.from({ length: Number(to - first) + 1 }, (_, index) => first + BigInt(index));
  let since: bigint | null = null;
  let last: bigint | null = null;
  for (const slot of slots) {
    if (!isTrue(slot)) continue;
    if (since === null || last === null || slot - last > UNSEEN_SLOTS) since = slot;
    last = slot;
    if (last - since + 1n >= BigInt(slotsOf(order))) return true;
  }
  return false;
}

function reached(order: Order, path: PricePath): (slot: bigint) => boolean {
  const isRise = order.type === 'LIMIT' || order.type === 'TAKE_PROFIT';
  const units = order.amount.kind === 'fixed' && !order.partial ? order.amount.units : isRise ? LEAST : MOST;
  return (slot) => {
    if (order.trigger === null) return false;
    const sign = compareRates({ got: quotedAt(path, slot, order, units), given: units }, order.trigger);
    return isRise ? sign >= 0 : sign <= 0;
  };
}

/**
 * Below the highest price that was held since the placing, by its distance. What had been held at that moment counts: highs are kept
 * per token and size, and an order's is the greatest that was true since it began to follow.
 */
function fallenBelow(order: Order, path: PricePath, from: bigint): (slot: bigint) => boolean {
  const { trailing } = order.terms;
  return (slot) => {
    let high = 0;
    for (let end = from; end <= slot; end += 1n) {
      let low = Number.POSITIVE_INFINITY;
      for (let at = end - BigInt(slotsOf(order) - 1); at <= end; at += 1n)
        low = Math.min(low, path.priceAt(at));
      high = Math.max(high, low);
    }
    return path.priceAt(slot) <= high * (1 - (trailing?.bps ?? 0) / 10_000) * TRAIL_SLACK;
  };
}
