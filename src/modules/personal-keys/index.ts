import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { Spending } from '../guard/index.ts';
import type { Orders } from '../orders/index.ts';
import type { Pricing } from '../trading/index.ts';
import { endDeskOrder } from './api/end-order.ts';
import { makeDeskTrade } from './api/make-trade.ts';
import { deskOrder } from './api/order.ts';
import { deskOrders } from './api/orders.ts';
import { placeDeskOrder } from './api/place-order.ts';
import { deskPositions } from './api/positions.ts';
import { deskTrade } from './api/trade.ts';
import { deskTrades } from './api/trades.ts';
import { personalKeysFeature } from './chat/index.ts';
import { endOrder } from './use/end-order.ts';
import { addKey, assertKeyFits, endKey, listKeys } from './use/manage-keys.ts';
import { placeByKey } from './use/place-by-key.ts';
import { createProgramDesk } from './use/program-desk.ts';
import { tradeByKey } from './use/trade-by-key.ts';
import { createUseWatch } from './use/watch-uses.ts';

type DeskDeps = Parameters<typeof createProgramDesk>[0];

/** Keys of people's own programs, and the watch that reports their uses while it runs. */
export function createPersonalKeys(
  world: World,
  {
    relay,
    spending,
    pricing,
    orders,
  }: {
    readonly relay: Relay;
    readonly spending: Spending;
    readonly pricing: Pricing;
    readonly orders: Orders;
  },
) {
  const { ids, vault, signatureChecks, personalKeysHost: host } = world;
  const nudge = (): void => relay.nudge();
  const keys = { ...spending.deps, host, nudge };
  const forProgram = {
    endOrder: bind(endOrder, { ...orders.deps, nudge }),
    placeOrder: bind(placeByKey, { ...orders.deps, vault, signatureChecks, safety: pricing.safety }),
    makeTrade: bind(tradeByKey, {
      ...pricing.trade,
      ...spending.confirmingFor('trade'),
      ids,
      vault,
      quote: pricing.quoteAsAsked,
      assertMaySpend: spending.assertProgramMaySpend,
      createSpendingIntent: spending.createIntent,
    }),
  };
  return {
    host,
    list: bind(listKeys, keys),
    assertFits: bind(assertKeyFits, keys),
    add: bind(addKey, keys),
    end: bind(endKey, keys),
    /** For a program that signed with the key. */
    ...forProgram,
    /** Requests that programs signed, on the host of the API; null where personal keys are off. */
    desk: (given: Pick<DeskDeps, 'isCertified' | 'signatureChecks' | 'log'>) =>
      host === null ? null : createProgramDesk({ ...world, ...forProgram, ...given }),
    watch: createUseWatch({
      ...keys,
      isOn: host !== null,
      log: world.log.child({ module: 'personal-keys' }),
    }),
  };
}

/** The parts that it plugs in. */
export const personalKeysModule = {
  name: 'personal-keys',
  features: [personalKeysFeature],
  routes: [
    deskPositions,
    deskTrades,
    deskTrade,
    makeDeskTrade,
    deskOrders,
    deskOrder,
    placeDeskOrder,
    endDeskOrder,
  ],
} satisfies Module;
