import type { UsdPrices } from '../rules/usd-price.ts';
import type { MarketData } from './market-data.ts';

/** Dollar prices of all tokens that have one; see `usdPrices`. Throws DATABASE_UNREACHABLE. */
export type LoadUsdPrices = () => Promise<UsdPrices>;

/** From the last looks at the pools of all markets, at most 30 s after they were written down. */
export function createUsdPrices({
  market,
}: {
  readonly market: Pick<MarketData, 'snapshot'>;
}): LoadUsdPrices {
  return async () => (await market.snapshot()).usd;
}
