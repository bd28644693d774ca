import { keysRotate } from '../modules/keys/api/rotate.ts';
import { usage } from '../modules/keys/api/usage.ts';
import { chartConfig } from '../modules/market/api/chart-config.ts';
import { chartHistory } from '../modules/market/api/chart-history.ts';
import { chartSearch } from '../modules/market/api/chart-search.ts';
import { chartSymbols } from '../modules/market/api/chart-symbols.ts';
import { chartTime } from '../modules/market/api/chart-time.ts';
import { markets } from '../modules/market/api/list-markets.ts';
import { marketBook } from '../modules/market/api/market-book.ts';
import { marketCandles } from '../modules/market/api/market-candles.ts';
import { market } from '../modules/market/api/one-market.ts';
import { tokenPrices } from '../modules/market/api/prices.ts';
import { marketTradesList } from '../modules/market/api/recent-trades.ts';
import { stream } from '../modules/market/api/stream.ts';
import { orderbooks } from '../modules/market/api/v1/orderbooks.ts';
import { pairs } from '../modules/market/api/v1/pairs.ts';
import { prices } from '../modules/market/api/v1/prices.ts';
import { pricesClosing } from '../modules/market/api/v1/prices-closing.ts';
import { pricesLast } from '../modules/market/api/v1/prices-last.ts';
import { pricesRecent } from '../modules/market/api/v1/prices-recent.ts';
import { trades } from '../modules/market/api/v1/trades.ts';
import { trades24h } from '../modules/market/api/v1/trades-24h.ts';
import { tradesAll } from '../modules/market/api/v1/trades-all.ts';
import { tradesLast } from '../modules/market/api/v1/trades-last.ts';
import { volumes } from '../modules/market/api/v1/volumes.ts';
import { volumesMarket } from '../modules/market/api/v1/volumes-market.ts';
import { token } from '../modules/mint/api/token.ts';
import { statusFacts } from '../modules/operations/api/status.ts';
import { endDeskOrder } from '../modules/personal-keys/api/end-order.ts';
import { makeDeskTrade } from '../modules/personal-keys/api/make-trade.ts';
import { deskOrders } from '../modules/personal-keys/api/orders.ts';
import { deskPositions } from '../modules/personal-keys/api/positions.ts';
import { deskTrade } from '../modules/personal-keys/api/trade.ts';
import { deskTrades } from '../modules/personal-keys/api/trades.ts';
import { oneSubmission } from '../modules/submissions/api/one-submission.ts';
import { submit } from '../modules/submissions/api/submit.ts';
import { tokensNew } from '../modules/tokens/api/new-tokens.ts';
import { tokenProfile } from '../modules/tokens/api/one-token.ts';
import { tokensSearch } from '../modules/tokens/api/search.ts';
import { tokensList } from '../modules/tokens/api/token-list.ts';
import { tokensTrending } from '../modules/tokens/api/trending.ts';
import { dexQuote } from '../modules/trading/api/dex-quote.ts';
import { dexSenders } from '../modules/trading/api/dex-senders.ts';
import { dexSwap } from '../modules/trading/api/dex-swap.ts';
import { dexSwapInstructions } from '../modules/trading/api/dex-swap-instructions.ts';
import { dexSwapQuote } from '../modules/trading/api/dex-swap-quote.ts';
import { dexVenues } from '../modules/trading/api/dex-venues.ts';
import { walletHoldings } from '../modules/wallet-data/api/holdings.ts';
import { walletPnl } from '../modules/wallet-data/api/wallet-pnl.ts';
import { walletTrades } from '../modules/wallet-data/api/wallet-trades.ts';
import { registerWebhook } from '../modules/webhooks/api/register.ts';
import {
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayWebhook,
  rotateWebhook,
  testWebhook,
} from '../modules/webhooks/api/webhooks.ts';
import type { Route } from '../platform/http/route.ts';
import type { Host } from './api-deps.ts';

/** Every endpoint. One folder and one line here per route. */
const ROUTES: readonly Route[] = [
  dexSwap,
  dexSwapQuote,
  dexSwapInstructions,
  dexQuote,
  dexVenues,
  dexSenders,
  submit,
  oneSubmission,
  registerWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  replayWebhook,
  token,
  deskPositions,
  deskTrades,
  deskTrade,
  makeDeskTrade,
  deskOrders,
  endDeskOrder,
  usage,
  keysRotate,
  statusFacts,
  markets,
  market,
  marketTradesList,
  marketCandles,
  marketBook,
  tokensSearch,
  tokensTrending,
  tokensNew,
  tokensList,
  tokenProfile,
  walletHoldings,
  walletTrades,
  walletPnl,
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
