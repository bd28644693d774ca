import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import { createNews } from '../../engine/watch/use/news.ts';
import type { Market } from '../market/index.ts';
import type { Pricing } from '../trading/index.ts';
import { alertsFeature } from './chat/index.ts';
import type { AlertDeps } from './use/alert-deps.ts';
import { placeAlert, rearmAlert, removeAlert } from './use/place-alert.ts';
import { priceNow, resolveAlert } from './use/resolve-alert.ts';
import { createAlertWatch } from './use/watch-alerts.ts';

/** Alerts move no money: a quarter of the looks of orders is theirs. */
const LOOKS_OF_ORDERS = 4;

/** Alerts of people, and the watch that compares them with prices while it runs. */
export function createAlerts(
  world: World,
  {
    relay,
    pricing,
    triggerPrice,
  }: {
    readonly relay: Relay;
    readonly pricing: Pricing;
    /** As old as a trigger may rest on. */
    readonly triggerPrice: Market['solPrice'];
  },
) {
  const { db, clock, ids, log, ordersPerSecond } = world;
  const news = createNews();
  const alerts: AlertDeps = {
    db,
    clock,
    ids,
    trade: pricing.trade,
    solPrice: triggerPrice,
    nudge: () => relay.nudge(),
    alertsChanged: news.changed,
  };
  return {
    priceNow: bind(priceNow, alerts),
    resolve: bind(resolveAlert, alerts),
    place: bind(placeAlert, alerts),
    remove: bind(removeAlert, alerts),
    rearm: bind(rearmAlert, alerts),
    watch: createAlertWatch({
      ...alerts,
      log,
      onChange: news.onChange,
      feed: pricing.watchPools(Math.max(1, ordersPerSecond / LOOKS_OF_ORDERS)),
    }),
  };
}

/** The parts that it plugs in. */
export const alertsModule = {
  name: 'alerts',
  features: [alertsFeature],
} satisfies Module;
