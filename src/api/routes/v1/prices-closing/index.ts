import { Answer } from '../../../answer.ts';
import { PRICE } from '../../shared/market-examples.ts';
import { marketOf, noTrades } from '../../shared/market-input.ts';
import { priceRecord, statedPriceRecord } from '../../shared/market-records.ts';
import { v1Market } from '../../shared/v1-route.ts';

export const pricesClosing = v1Market({
  path: '/v1/prices/:address/closing-price',
  operationId: 'showClosingPrice',
  summary: 'The price of one market 24 hours ago',
  description: 'Of the last trade at or before that moment. 404 NO_TRADES where there was none.',
  name: 'ClosingPrice',
  schema: priceRecord,
  example: PRICE,
  successor: '',
  handle: async (deps, { address }) => {
    const entry = await marketOf(deps, address);
    const price = await deps.market.priceDayAgo(entry);
    if (price === null) throw noTrades(entry);
    return new Answer({ data: statedPriceRecord(entry.market, price), maxAge: 1 });
  },
});
