import { Answer } from '../../../../platform/http/answer.ts';
import { TRADE } from '../market-examples.ts';
import { marketOf } from '../market-input.ts';
import { tradeOf, tradeRecord } from '../market-records.ts';
import { lastTradeOf } from '../market-trades.ts';
import { v1Market } from '../v1-route.ts';

export const tradesLast = v1Market({
  path: '/v1/trades/:address/last',
  operationId: 'showLastTrade',
  summary: 'The last trade of one market',
  description: 'A list of one, or of none before the first.',
  name: 'LastTrade',
  schema: tradeRecord.array(),
  example: [TRADE],
  successor: '/trades',
  handle: async (deps, { address }) => {
    const entry = await marketOf(deps, address);
    const trade = await lastTradeOf(deps, entry);
    return new Answer({ data: trade === null ? [] : [tradeOf(entry.market, trade)], maxAge: 1 });
  },
});
