import type { z } from 'zod';
import { TRADE } from './market-examples.ts';
import { TRADES_CODES, tradesQuery } from './market-input.ts';
import { tradeRecord } from './market-records.ts';
import { marketRoute } from './market-route.ts';
import { marketTrades } from './market-trades.ts';
import { EXAMPLE_MARKET } from './v1-route.ts';

export const marketTradesList = marketRoute<z.infer<typeof tradesQuery>>({
  path: '/markets/:address/trades',
  operationId: 'listMarketTrades',
  summary: 'Trades of one market',
  description: 'Newest first, as far back as trades are kept; at most 10,000 unless a limit is given.',
  pathFields: ['address'],
  input: { in: 'query', name: 'MarketTradesRequest', schema: tradesQuery },
  inputExample: { address: EXAMPLE_MARKET, limit: '100' },
  output: { name: 'MarketTradesResponse', schema: tradeRecord.array(), example: [TRADE] },
  codes: TRADES_CODES,
  handle: (deps, query) =>
    marketTrades(deps, query, { path: `/markets/${query.address}/trades`, since: null }),
});
