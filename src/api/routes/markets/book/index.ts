import type { z } from 'zod';
import { BOOK_CODES, bookAnswer, bookQuery, bookSchema } from '../../shared/book-data.ts';
import { marketRoute } from '../../shared/market-route.ts';
import { EXAMPLE_MARKET } from '../../shared/v1-route.ts';

export const marketBook = marketRoute<z.infer<typeof bookQuery>>({
  path: '/markets/:address/book',
  operationId: 'showMarketBook',
  summary: 'What could be had now in one market',
  description: 'Real orders of OpenBook markets; of pools what their curve would give, fees included.',
  pathFields: ['address'],
  input: { in: 'query', name: 'MarketBookRequest', schema: bookQuery },
  inputExample: { address: EXAMPLE_MARKET, depth: '50' },
  output: {
    name: 'MarketBookResponse',
    schema: bookSchema,
    example: {
      lastOrderPrice: 0.0123,
      bids: [{ price: 0.0122, size: 1500, side: 'buy' }],
      asks: [{ price: 0.0124, size: 1400, side: 'sell' }],
      market: 'PUP/USDC',
      synthetic: true,
      slot: 400000000,
      asOf: '2026-11-22T12:00:00.000Z',
    },
  },
  codes: BOOK_CODES,
  handle: bookAnswer,
});
