import { BOOK_CODES, BOOK_EXAMPLE, bookAnswer, bookQuery, bookSchema } from '../book-data.ts';
import { EXAMPLE_MARKET, v1Route } from '../v1-route.ts';

export const orderbooks = v1Route({
  path: '/v1/orderbooks/:address',
  operationId: 'showOrderBook',
  summary: 'Open orders of one market',
  description:
    'Real orders of OpenBook markets; of pools what their curve would give. Whoever asks too often on the open host (10 times in a second or 120 in a minute, unless the operator set other numbers) is blocked for good: 403 IP_BLOCKED.',
  guarded: true,
  pathFields: ['address'],
  input: { in: 'query', name: 'OrderBookRequest', schema: bookQuery },
  inputExample: { address: EXAMPLE_MARKET, depth: '50' },
  output: {
    name: 'OrderBookResponse',
    schema: bookSchema,
    example: BOOK_EXAMPLE,
  },
  codes: BOOK_CODES,
  successor: ({ address }) => `/markets/${address}/book`,
  handle: bookAnswer,
});
