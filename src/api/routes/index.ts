import type { Host } from '../api-deps.ts';
import type { Route } from '../route.ts';
import { chartConfig } from './charts/config/index.ts';
import { chartHistory } from './charts/history/index.ts';
import { chartSearch } from './charts/search/index.ts';
import { chartSymbols } from './charts/symbols/index.ts';
import { chartTime } from './charts/time/index.ts';
import { dexQuote } from './dex-quote/index.ts';
import { dexSwap } from './dex-swap/index.ts';
import { keysRotate } from './keys-rotate/index.ts';
import { marketBook } from './markets/book/index.ts';
import { marketCandles } from './markets/candles/index.ts';
import { markets } from './markets/list/index.ts';
import { market } from './markets/one/index.ts';
import { marketTradesList } from './markets/trades/index.ts';
import { tokenPrices } from './prices/index.ts';
import { stream } from './stream/index.ts';
import { token } from './token/index.ts';
import { tokensNew } from './tokens/new/index.ts';
import { tokenProfile } from './tokens/one/index.ts';
import { tokensSearch } from './tokens/search/index.ts';
import { tokensTrending } from './tokens/trending/index.ts';
import { usage } from './usage/index.ts';
import { orderbooks } from './v1/orderbooks/index.ts';
import { pairs } from './v1/pairs/index.ts';
import { prices } from './v1/prices/index.ts';
import { pricesClosing } from './v1/prices-closing/index.ts';
import { pricesLast } from './v1/prices-last/index.ts';
import { pricesRecent } from './v1/prices-recent/index.ts';
import { trades } from './v1/trades/index.ts';
import { trades24h } from './v1/trades-24h/index.ts';
import { tradesAll } from './v1/trades-all/index.ts';
import { tradesLast } from './v1/trades-last/index.ts';
import { volumes } from './v1/volumes/index.ts';
import { volumesMarket } from './v1/volumes-market/index.ts';

/** Every endpoint. One folder and one line here per route. */
const ROUTES: readonly Route[] = [
  dexSwap,
  dexQuote,
  token,
  usage,
  keysRotate,
  markets,
  market,
  marketTradesList,
  marketCandles,
  marketBook,
  tokensSearch,
  tokensTrending,
  tokensNew,
  tokenProfile,
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
];

/** The endpoints of one host; its OpenAPI document is made from this list. */
export function routesOf(kind: Host['kind']): readonly Route[] {
  switch (kind) {
    case 'open':
      return ROUTES.filter(({ host }) => host !== 'pro');
    case 'pro':
      return ROUTES.filter(({ host }) => host !== 'charts');
    case 'charts':
      return ROUTES.filter(({ host }) => host === 'charts');
  }
}
