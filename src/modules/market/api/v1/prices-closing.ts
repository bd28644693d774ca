import { Answer } from '../../../../platform/http/answer.ts';
import { PRICE } from '../market-examples.ts';
import { marketOf, noTrades } from '../market-input.ts';
import { priceRecord, statedPriceRecord } from '../market-records.ts';
import { v1Market } from '../v1-route.ts';

export const pricesClosing = v1Market({
  path: '/v1/prices/:address/closing-price',
  operationId: 'showClosingPrice',
  summary: 'The price of one market 24 hours ago',
  description:
    'Of the last trade at or before that moment; of its first trade where the market is younger. 404 NO_TRADES before the first.',
  name: 'ClosingPrice',
  schema: priceRecord,
  example: PRICE,
  successor: '',
  handle: async (deps, { address }) => {
    const entry = await marketOf(deps, address);
    const price = (await deps.market.priceDayAgo(entry)) ?? entry.stats?.first ?? null;
    if (price === null) throw noTrades(entry);
    return new Answer({ data: statedPriceRecord(entry.market, price), maxAge: 1 });
  },
});
