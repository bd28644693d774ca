import { type Address, MAX_U64, maxBigint } from '@tradepost/solana';
import type { Bps } from '../../../core/amounts/bps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { ageAt } from '../../../core/time/age.ts';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import { hasCome } from '../../../core/time/span.ts';
import type { News } from '../../../engine/watch/use/news.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { PoolFeed, PoolsOfToken } from '../../../platform/ports/pool-feed.ts';
import { mayTell } from '../rules/budget.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import { createPriceView } from '../rules/price-view.ts';
import type { SolUsd } from '../rules/trigger.ts';
import type { OrderFeedStore } from '../store/order-feed-store-port.ts';
import { type ChangedOrder, shardOf } from '../store/order-store-port.ts';
import { activateTrail } from './activate-trail.ts';
import { createClosedPositions } from './closed-positions.ts';
import { expireOrder, isFollowingStop, pauseUngranted } from './end-orders.ts';
import { fireOrder } from './fire-order.ts';
import { createFireQueue } from './fire-queue.ts';
import { followChanges } from './follow-changes.ts';
import { heldUnits } from './held-units.ts';
import { type FireDeps, solUsdNow } from './order-deps.ts';
import { runSchedules } from './run-schedules.ts';
import { createOrderTaking } from './take-orders.ts';
import { createBlindNotices } from './tell-blind.ts';
import { tellStanding } from './tell-standing.ts';
import { createTokenOrders, type TokenOrders } from './token-orders.ts';

/** Without an open order: how often it is asked whether there is one, though the watcher's beat says so by itself. */
const ASLEEP_MS = 60_000;
/** After something was away. */
const AGAIN_MS = 4_000;
const CHANGES_MS = 250;
const UPKEEP_MS = 2_000;
const LEASE_MS = 5_000;
/** All open orders are read again: a change that was committed too late to be followed shows up here. */
const RELOAD_MS = 30_000;
const WHEN_LOADED = Number.POSITIVE_INFINITY;
/** How often open orders are checked for notices that are due without a fire. */
const NOTICES_MS = 60_000;
/** How often the tape is asked for sales of creators whose tokens have an order that waits for them. */
const DEV_LOOK_MS = 1_000;
/** How often the transfers of those creators are asked for. */
const TRANSFERS_MS = 1_000;
/** A token that nothing trades, or whose pools cannot be read, for so long is reported. */
const BLIND_TOLD_MS = 300_000;

export type OrderWatchDeps = FireDeps & {
  readonly orderFeed: OrderFeedStore;
  readonly feed: PoolFeed;
  readonly news: News;
  /** Name of this process among those that evaluate. */
  readonly owner: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly tradeFeeBps: () => Bps;
};

export type OrderWatch = {
  /** One round: all work that is due now. Milliseconds until the next one; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  /** The database has open orders: a sleeping evaluator wakes. */
  wake(): void;
  /** Open orders in memory. */
  size(): number;
  stop(): Promise<void>;
};

/**
 * Evaluates open orders: holds those of its shards in memory, hears of pools, and fires orders whose condition held for long enough. Its
 * memory is a copy; Postgres decides. Without an open order it sleeps until this process places one or the watcher's beat has seen one of
 * another process, within four seconds. Its leases end in five seconds. A successor begins with empty windows, so that no order fires whose
 * condition was not held.
 */
export function createOrderWatch(deps: OrderWatchDeps): OrderWatch {
  const { clock, db, orderFeed, owner, feed } = deps;
  const tokens = new Map<Address, TokenOrders>();
  const fires = createFireQueue({ ...deps, fire: (request) => fireOrder(deps, request) });
  const closed = createClosedPositions(deps);
  const changes = followChanges(db.orders, clock);
  const blind = createBlindNotices((orderId) => tellStanding(deps, orderId, 'blind'));
  let poke = (): void => undefined;
  let isAwake = false;
  let isLooking = false;
  let isReading = false;
  let hasNews = false;
  let solUsd: SolUsd | null = null;
  let shards: readonly number[] = [];
  let leasedAt = NEVER;
  const due = { reload: 0, changes: 0, upkeep: 0, notices: 0, devs: 0, transfers: 0 };

  deps.news.onChange(() => {
    hasNews = true;
    poke();
  });
  feed.onPools((told) => hear(told));

  const hear = (told: PoolsOfToken): void => {
    const token = tokens.get(told.mint);
    if (token === undefined) return;
    const view = createPriceView({ ...told, solUsd, feeBps: deps.tradeFeeBps() });
    for (const candidate of token.update(view)) {
      if (candidate.activates) void activateTrail(deps, candidate).catch(report);
      else fires.add(told.mint, candidate);
    }
    watchFeed();
  };

  const report = (err: unknown): void => deps.log.warn({ err }, 'an order could not be looked after');

  const put = async ({ order, group }: ChangedOrder, held: bigint | null): Promise<boolean> => {
    if (!shards.includes(shardOf(order.mint))) return true;
    if (order.type === 'DCA') fires.schedule(order, group);
    if (order.status !== 'OPEN') {
      tokens.get(order.mint)?.put(order, group, 0n);
      resize(group);
      return true;
    }
    // Nothing is waited for from here to its order: a look at another token clears away those without any.
    const token =
      tokens.get(order.mint) ??
      createTokenOrders(order.mint, await orderFeed.peaks([order.mint]), clock.now());
    tokens.set(order.mint, token);
    token.put(order, group, held ?? 0n);
    resize(group);
    await closed.saw(order, group, held);
    follow(order);
    return token.has(order.id);
  };

  /** Sells another account's units after a stop that was passed. After a refusal the next reading of all orders comes back to it. */
  const follow = (order: Order): void => {
    const { note } = order.progress;
    if (!isFollowingStop(order) || (note !== null && ageAt(note.at, clock.now()) < AGAIN_MS)) return;
    fires.add(order.mint, { orderId: order.id, slot: order.notBeforeSlot ?? 0n, high: null });
  };

  /** Units sold by one leg are not given by the others any more; their rows do not change with it. */
  const resize = (group: OrderGroup): void => {
    const token = group.units === null ? undefined : tokens.get(group.mint);
    for (const order of group.orders)
      if (token?.has(order.id) === true && order.status === 'OPEN') token.put(order, group, MAX_U64);
  };

  const watchFeed = (): void => {
    for (const [mint, token] of tokens) if (token.size() === 0 && !fires.isBusy(mint)) tokens.delete(mint);
    feed.watch(
      new Map(
        [...tokens].filter(([, token]) => token.size() > 0).map(([mint, token]) => [mint, token.nearness()]),
      ),
    );
  };

  const expire = async (orderId: string): Promise<void> => {
    const end = await expireOrder(deps, orderId);
    if (end.kind !== 'exits' || !shards.includes(shardOf(end.order.mint))) return;
    // A time has no slot of its own: its order's back-off ends with the next look.
    fires.add(end.order.mint, { orderId, slot: end.order.notBeforeSlot ?? 0n, high: null });
  };

  const wakeUp = async (now: number): Promise<void> => {
    const { isAwake: hasOpen, expired } = await db.orders.pulse(now);
    for (const orderId of expired) await expire(orderId);
    if (hasCome(due.notices, now)) {
      due.notices = now + NOTICES_MS;
      for (const orderId of await db.orders.endingSoon(now)) await tellStanding(deps, orderId, 'ending');
      await tellBlind(now);
      for (const orderId of await db.orders.grantsOver(now)) await pauseUngranted(deps, orderId);
    }
    if (hasOpen && !isAwake) due.reload = 0;
    if (!hasOpen && isAwake) await fallAsleep();
    isAwake = hasOpen;
  };

  /** A person must not think that a stop watches while nothing can be seen. */
  const tellBlind = async (now: number): Promise<void> => {
    const unseen = [...tokens.values()].filter((token) => ageAt(token.pricedAt(), now) > BLIND_TOLD_MS);
    const orders = unseen.flatMap((token) => token.orders());
    for (const [mint, token] of tokens) {
      const waiting = unseen.includes(token) ? [] : devOrdersOf(token);
      if (waiting.length > 0 && !(await deps.events.isFollowed(mint))) orders.push(...waiting);
    }
    await blind.tell(orders, now);
  };

  const fallAsleep = async (): Promise<void> => {
    tokens.clear();
    taking.clear();
    fires.clear();
    feed.watch(new Map());
    shards = [];
    await orderFeed.leave(owner);
  };

  const lease = async (now: number): Promise<void> => {
    const mine = await orderFeed.take({ owner, now, until: now + LEASE_MS });
    leasedAt = markOf(clock);
    if (mine.join() !== shards.join()) due.reload = 0;
    shards = mine;
    for (const mint of tokens.keys()) if (!shards.includes(shardOf(mint))) tokens.delete(mint);
  };

  const keepLease = async (): Promise<void> => {
    const now = clock.now();
    if (elapsedSince(leasedAt, clock) >= UPKEEP_MS) await lease(now);
  };

  const taking = createOrderTaking({
    orders: db.orders,
    held: (group, order) => heldUnits(deps, group, order),
    put,
    keepLease,
  });

  const beginReload = async (): Promise<void> => {
    await changes.begin();
    await taking.begin(shards);
    // Set anew when it is through: on a slow node it takes longer than the time to the next one.
    due.reload = WHEN_LOADED;
  };

  const reload = async (): Promise<void> => {
    const open = await taking.next();
    if (open === null) return;
    // Where shards came or went meanwhile it is due at once.
    due.reload = Math.min(due.reload, clock.now() + RELOAD_MS);
    fires.keep(open);
    closed.keep(open);
    for (const token of tokens.values()) token.keep(open);
  };

  const upkeep = async (now: number): Promise<void> => {
    solUsd = await solUsdNow(deps);
    for (const token of tokens.values()) token.checkBlind(now);
    const marks = [...tokens.values()].flatMap((token) => token.mark() ?? []);
    await orderFeed.saveMarks(marks);
    await orderFeed.savePeaks([...tokens.values()].flatMap((token) => token.risenPeaks(now)));
    await runSchedules(deps, fires, now);
  };

  /** Fires the orders whose creator sold. A tape that is away stops no order that waits for a price. */
  const lookAtDevs = async (now: number): Promise<void> => {
    if (isLooking || !hasCome(due.devs, now)) return;
    isLooking = true;
    for (const [mint, token] of tokens) {
      const orders = devOrdersOf(token);
      if (orders.length === 0) continue;
      try {
        for (const { order, slot } of await deps.events.devSales(mint, orders)) {
          // A sale has happened for good: a back-off of the order ends with the next look.
          const at = maxBigint(slot, order.notBeforeSlot ?? 0n);
          fires.add(mint, { orderId: order.id, version: order.version, slot: at, high: null });
        }
      } catch (err) {
        deps.log.warn({ err, mint }, 'sales of a creator could not be read');
      }
    }
    due.devs = deps.clock.now() + DEV_LOOK_MS;
    isLooking = false;
  };

  /** Reads transfers of creators to other wallets, and notifies the people whose orders wait for a sale of them. */
  const lookAtTransfers = async (now: number): Promise<void> => {
    if (isReading || !hasCome(due.transfers, now)) return;
    isReading = true;
    try {
      const waiting = [...tokens].map(([mint, token]) => ({ mint, orders: devOrdersOf(token) }));
      await deps.events.readTransfers(waiting.flatMap(({ orders }) => orders));
      for (const { mint, orders } of waiting)
        for (const { order, units, seenAt } of await deps.events.transfers(mint, orders))
          if (isNewsOf(order, seenAt, now)) await tellStanding(deps, order.id, 'dev-moved', units.toString());
    } catch (err) {
      deps.log.warn({ err }, 'transfers of a creator could not be read');
    }
    due.transfers = deps.clock.now() + TRANSFERS_MS;
    isReading = false;
  };

  const roundOnce = async (): Promise<number> => {
    const now = clock.now();
    // News from here on may be missing in the reads of this round: it is for the next one.
    const isNews = hasNews;
    hasNews = false;
    if (isNews || hasCome(due.upkeep, now)) {
      due.upkeep = now + UPKEEP_MS;
      await wakeUp(now);
      if (!isAwake) return ASLEEP_MS;
      await lease(now);
      await upkeep(now);
    }
    if (!isAwake) return ASLEEP_MS;
    if (due.reload !== WHEN_LOADED && hasCome(due.reload, now)) await beginReload();
    else if (isNews || hasCome(due.changes, now)) {
      due.changes = now + CHANGES_MS;
      await changes.read((some) => taking.take(some));
    }
    await reload();
    await taking.again(now);
    // Beside the prices, which wait for no tape.
    void lookAtDevs(now);
    void lookAtTransfers(now);
    watchFeed();
    return taking.isLoading() ? 0 : CHANGES_MS;
  };

  return {
    round: async () => {
      try {
        return await roundOnce();
      } catch (error) {
        // The outage is reported elsewhere. No order fires meanwhile, because nothing can be written.
        if (!isAppError(error)) report(error);
        else deps.log.warn({ code: error.code }, 'orders wait: something is away');
        return AGAIN_MS;
      }
    },
    onAdd: (listener) => {
      poke = listener;
    },
    wake: () => {
      if (isAwake) return;
      hasNews = true;
      poke();
    },
    size: () => [...tokens.values()].reduce((sum, token) => sum + token.size(), 0),
    stop: async () => {
      await feed.stop();
      await fires.stop();
      await orderFeed.leave(owner).catch(() => undefined);
    },
  };
}

/** Whether a transfer that was seen then is yet to be told of this order: at most once an hour. */
function isNewsOf({ progress: { told } }: Order, seenAt: number, now: number): boolean {
  const last = told['dev-moved'] ?? null;
  return (last === null || seenAt > last) && mayTell(last, now);
}

/** Those that wait for a sale of the creator: no look at pools fires them. */
function devOrdersOf(token: TokenOrders): readonly Order[] {
  return token.orders().filter(({ type }) => type === 'DEV_SELLS');
}
