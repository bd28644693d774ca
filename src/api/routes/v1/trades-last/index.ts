import { Answer } from '../../../answer.ts';
import { TRADE } from '../../shared/market-examples.ts';
import { marketOf } from '../../shared/market-input.ts';
import { tradeOf, tradeRecord } from '../../shared/market-records.ts';
import { lastTradeOf } from '../../shared/market-trades.ts';
import { v1Market } from '../../shared/v1-route.ts';

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
