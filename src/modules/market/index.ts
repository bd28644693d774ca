import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { chartConfig } from './api/chart-config.ts';
import { chartHistory } from './api/chart-history.ts';
import { chartSearch } from './api/chart-search.ts';
import { chartSymbols } from './api/chart-symbols.ts';
import { chartTime } from './api/chart-time.ts';
import { markets } from './api/list-markets.ts';
import { marketBook } from './api/market-book.ts';
import { marketCandles } from './api/market-candles.ts';
import { market } from './api/one-market.ts';
import { tokenPrices } from './api/prices.ts';
import { marketTradesList } from './api/recent-trades.ts';
import { stream } from './api/stream.ts';
import { orderbooks } from './api/v1/orderbooks.ts';
import { pairs } from './api/v1/pairs.ts';
import { prices } from './api/v1/prices.ts';
import { pricesClosing } from './api/v1/prices-closing.ts';
import { pricesLast } from './api/v1/prices-last.ts';
import { pricesRecent } from './api/v1/prices-recent.ts';
import { trades } from './api/v1/trades.ts';
import { trades24h } from './api/v1/trades-24h.ts';
import { tradesAll } from './api/v1/trades-all.ts';
import { tradesLast } from './api/v1/trades-last.ts';
import { volumes } from './api/v1/volumes.ts';
import { volumesMarket } from './api/v1/volumes-market.ts';
import { chartFeature } from './chat/chart.ts';
import { marketStats } from './jobs/market-stats.ts';
import { marketUpkeep } from './jobs/market-upkeep.ts';
import { poolsRefresh } from './jobs/pools-refresh.ts';
import { marketPages } from './pages/index.ts';
import { createSeedPlanter } from './use/plant-seeds.ts';
import { refreshPools } from './use/refresh-pools.ts';
import { createHistorySearch } from './use/search-history.ts';
import { createHoldersSearch } from './use/search-holders.ts';
import { createSolPrice } from './use/sol-price.ts';

/** Prices of SOL in dollars, and the upkeep of the known pools. */
export function createMarket(world: World) {
  const { holders } = world;
  const plantSeeds = createSeedPlanter(world, world.poolSeeds ?? null);
  const searchHistory = createHistorySearch(world);
  const searchHolders = holders === undefined ? undefined : createHoldersSearch({ ...world, holders });
  return {
    solPrice: createSolPrice(world),
    /** The same price, where no look that it rests on may be older. */
    solPriceWithin: (atMostMs: number) => createSolPrice({ ...world, atMostMs }),
    refreshPools: async () => {
      await plantSeeds();
      return refreshPools({
        ...world,
        searchHistory,
        ...(searchHolders === undefined ? {} : { searchHolders }),
      });
    },
  };
}

export type Market = ReturnType<typeof createMarket>;

/** Markets, their pages and charts. */
export const marketModule = {
  name: 'market',
  features: [chartFeature],
  routes: [markets, market, marketTradesList, marketCandles, marketBook],
  pages: [marketPages],
  jobs: { 'market.stats': marketStats, 'market.upkeep': marketUpkeep, 'pools.refresh': poolsRefresh },
} satisfies Module;

/** Prices, the stream, the deprecated market data and the charting datafeed: their rows follow those of tokens in the documents. */
export const pricesModule = {
  name: 'prices',
  routes: [
    tokenPrices,
    stream,
    prices,
    pricesRecent,
    pricesLast,
    pricesClosing,
    trades,
    trades24h,
    tradesAll,
    tradesLast,
    volumes,
    volumesMarket,
    orderbooks,
    pairs,
    chartConfig,
    chartSymbols,
    chartHistory,
    chartTime,
    chartSearch,
  ],
} satisfies Module;
