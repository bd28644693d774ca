import type { z } from 'zod';
import { BOOK_CODES, BOOK_EXAMPLE, bookAnswer, bookQuery, bookSchema } from './book-data.ts';
import { marketRoute } from './market-route.ts';
import { EXAMPLE_MARKET } from './v1-route.ts';

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
    example: BOOK_EXAMPLE,
  },
  codes: BOOK_CODES,
  handle: bookAnswer,
});
