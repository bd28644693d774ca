import { Answer } from '../../../../platform/http/answer.ts';
import { PRICE } from '../market-examples.ts';
import { marketOf, noTrades } from '../market-input.ts';
import { currentPriceRecord, priceOf, priceRecord } from '../market-records.ts';
import { lastPricedTradeOf } from '../market-trades.ts';
import { v1Market } from '../v1-route.ts';

export const pricesLast = v1Market({
  path: '/v1/prices/:address/last',
  operationId: 'showLastPrice',
  summary: 'The price of one market',
  description: 'Of its last trade that is large enough to say one. 404 NO_TRADES before the first.',
  name: 'LastPrice',
  schema: priceRecord,
  example: PRICE,
  successor: '',
  handle: async (deps, { address }) => {
    const entry = await marketOf(deps, address);
    const trade = await lastPricedTradeOf(deps, entry);
    const data = trade === null ? priceOf(entry) : currentPriceRecord(entry, trade);
    if (data === null) throw noTrades(entry);
    return new Answer({ data, maxAge: 1 });
  },
});
