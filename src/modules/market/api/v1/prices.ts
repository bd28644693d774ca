import { PRICE } from '../market-examples.ts';
import { priceOf, priceRecord } from '../market-records.ts';
import { v1List } from '../v1-route.ts';

export const prices = v1List({
  path: '/v1/prices',
  operationId: 'listPrices',
  summary: 'Current prices of all markets',
  description: 'Markets with a trade, sorted by address; at most 30 seconds old.',
  name: 'Prices',
  schema: priceRecord,
  record: priceOf,
  example: PRICE,
  successor: '/markets',
});
