import { TRADE } from '../market-examples.ts';
import { tradeOf, tradeRecord } from '../market-records.ts';
import { v1List } from '../v1-route.ts';

export const trades = v1List({
  path: '/v1/trades',
  operationId: 'listLastTrades',
  summary: 'The last trade of every market',
  description: 'Markets with a trade, sorted by address; at most 30 seconds old.',
  name: 'LastTrades',
  schema: tradeRecord,
  record: ({ market, last }) => (last === null ? null : tradeOf(market, last)),
  example: TRADE,
  successor: '/markets',
});
