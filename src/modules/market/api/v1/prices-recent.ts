import { RECENT_PRICE } from '../market-examples.ts';
import { recentPriceOf, recentPriceRecord } from '../market-records.ts';
import { v1List } from '../v1-route.ts';

export const pricesRecent = v1List({
  path: '/v1/prices/recent',
  operationId: 'listRecentPrices',
  summary: 'Price changes of all markets in 24 hours',
  description: 'Each market’s last price beside the one of 24 hours before; at most 30 seconds old.',
  name: 'RecentPrices',
  schema: recentPriceRecord,
  record: recentPriceOf,
  example: RECENT_PRICE,
  successor: '/markets',
});
