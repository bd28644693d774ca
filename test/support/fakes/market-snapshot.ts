import type { MarketSnapshot } from '../../../src/modules/market/use/market-snapshot.ts';

/** What a desk tells whose indexer has not begun. */
export const NO_MARKETS: MarketSnapshot = {
  entries: [],
  byAddress: new Map(),
  usd: new Map(),
  shown: new Map(),
  looks: new Map(),
  at: 0,
};
