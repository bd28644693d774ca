import type { TransactionDeps } from '../../../../src/engine/transactions/use/deps.ts';
import { createNews } from '../../../../src/engine/watch/use/news.ts';
import { LOCAL_RULES } from '../../../../src/modules/guard/rules/guard-rules.ts';
import type { OrderFeedStore } from '../../../../src/modules/orders/store/order-feed-store-port.ts';
import type { FireDeps } from '../../../../src/modules/orders/use/order-deps.ts';
import { createOrderWatch, type OrderWatch } from '../../../../src/modules/orders/use/watch-orders.ts';
import { CONFIRMS } from '../../signer.ts';
import type { SimProcess } from '../process.ts';
import { simEvents } from './sim-events.ts';
import { type OrderWorld, simFeed, simMarket, TRADE_FEE } from './sim-market.ts';

const SOL = 1_000_000_000n;
const ROUND_MS = 500;

/** The real evaluator in one process, over a market and a feed that lag and lie still. It ends with its process. */
export function watchOrdersIn(
  world: OrderWorld,
  process: SimProcess,
  deps: TransactionDeps & Pick<FireDeps, 'db'>,
  orderFeed: OrderFeedStore,
  signer: FireDeps['vault'] = CONFIRMS,
): OrderWatch {
  const news = createNews();
  const watch = createOrderWatch({
    ...deps,
    vault: signer,
    market: simMarket(world, process),
    events: simEvents(world, process, deps.db, orderFeed),
    solPrice: async () => null,
    guardRules: {
      ...LOCAL_RULES,
      delayMs: 0,
      dailyCapLamports: 1_000n * SOL,
      spendCapLamports: 1_000n * SOL,
    },
    doubtToken: async () => [],
    usualPrice: async () => null,
    autoSpendCapLamports: 1_000n * SOL,
    ordersChanged: () => news.changed(),
    orderFeed,
    news,
    tradeFeeBps: () => TRADE_FEE,
    feed: simFeed(world, process),
  });
  const loop = async (): Promise<void> => {
    for (;;) await process.sleep(Math.min(await watch.round(), ROUND_MS));
  };
  loop().catch(() => undefined);
  return watch;
}
