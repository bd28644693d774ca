import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { TransactionDeps } from '../../engine/transactions/use/deps.ts';
import { createNews } from '../../engine/watch/use/news.ts';
import type { Spending } from '../guard/index.ts';
import type { Market } from '../market/index.ts';
import type { Pricing } from '../trading/index.ts';
import { ordersFeature } from './chat/index.ts';
import type { Order, OrderGroup } from './rules/order.ts';
import { legsOf } from './use/bracket.ts';
import { buyWithLegs } from './use/buy-with-legs.ts';
import { cancelOrder, changeAllOrders, pauseOrder } from './use/change-order.ts';
import { editOrder, viewEdit } from './use/edit-order.ts';
import { entryPrice } from './use/entry-price.ts';
import { createFireMarket } from './use/fire-market.ts';
import type { OrderDeps } from './use/order-deps.ts';
import { createOrderEvents } from './use/order-events.ts';
import { placeOrders, viewDraft } from './use/place-orders.ts';
import { resolveBand, resolvePrice } from './use/resolve-price.ts';
import { resumeOrder } from './use/resume-order.ts';
import { trailHigh } from './use/trail-high.ts';
import { createOrderWatch } from './use/watch-orders.ts';

type Others = {
  readonly transactions: TransactionDeps;
  readonly spending: Spending;
  readonly pricing: Pricing;
  /** As old as a trigger may rest on. */
  readonly triggerPrice: Market['solPrice'];
};

function orderDeps(world: World, { transactions, spending, pricing, triggerPrice }: Others) {
  return {
    ...transactions,
    ...spending.deps,
    pause: world.pause,
    trade: pricing.trade,
    market: createFireMarket(pricing.trade),
    events: createOrderEvents({ ...world, pools: pricing.poolsToSell, depth: pricing.depth }),
    solPrice: triggerPrice,
    autoSpendCapLamports: world.autoSpendCapLamports,
  };
}

/** Orders of people, and the watch that evaluates them while it runs. */
export function createOrders(world: World, others: Others) {
  const { db, clock, fees, log, orderFeed, owner } = world;
  const { pricing, spending } = others;
  const news = createNews();
  const orders: OrderDeps = { ...orderDeps(world, others), ordersChanged: news.changed };
  const confirming = { ...pricing.trade, ...spending.confirmingFor('trade') };
  return {
    /** For the nouns whose trades are orders. */
    deps: orders,
    watch: createOrderWatch({
      ...orders,
      log,
      orderFeed,
      news,
      owner,
      tradeFeeBps: () => fees(clock.now()).tradeBps,
      feed: pricing.watchPools(world.ordersPerSecond),
    }),
    verbs: {
      viewDraft: bind(viewDraft, orders),
      resolvePrice: bind(resolvePrice, orders),
      resolveBand: bind(resolveBand, orders),
      entryPrice: bind(entryPrice, orders),
      /** The evaluator's last view. */
      marks: (mints: Parameters<typeof orderFeed.marks>[0]) => orderFeed.marks(mints),
      trailHigh: (group: OrderGroup, order: Order) => trailHigh({ ...orders, orderFeed }, group, order),
      place: bind(placeOrders, orders),
      cancel: bind(cancelOrder, orders),
      pause: bind(pauseOrder, orders),
      resume: bind(resumeOrder, orders),
      changeAll: bind(changeAllOrders, orders),
      viewEdit: bind(viewEdit, orders),
      edit: bind(editOrder, orders),
      /** The orders that wait for the tokens of this entry; null where none do. */
      legsOf: (entryOrderId: string) => legsOf(db.orders, entryOrderId),
      /** A purchase with the orders that sell its tokens. */
      buyWithLegs: bind(buyWithLegs, {
        ...orders,
        confirming,
        createSpendingIntent: spending.createIntent,
      }),
    },
  };
}

export type Orders = ReturnType<typeof createOrders>;

/** The parts that it plugs in. */
export const ordersModule = {
  name: 'orders',
  features: [ordersFeature],
} satisfies Module;
