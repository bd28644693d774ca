import type { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { MARKET_CODES, marketOf, marketQuery } from './market-input.ts';
import { marketRoute } from './market-route.ts';
import { MARKET_VIEW, marketView, marketViewOf } from './market-view.ts';
import { EXAMPLE_MARKET } from './v1-route.ts';

export const market = marketRoute<z.infer<typeof marketQuery>>({
  path: '/markets/:address',
  operationId: 'showMarket',
  summary: 'One market with price and 24 hour figures',
  description: 'As in the list of all markets; at most 30 seconds old.',
  pathFields: ['address'],
  input: { in: 'query', name: 'MarketRequest', schema: marketQuery },
  inputExample: { address: EXAMPLE_MARKET },
  output: { name: 'MarketResponse', schema: marketView, example: MARKET_VIEW },
  codes: MARKET_CODES,
  handle: async (deps, { address }) =>
    new Answer({ data: marketViewOf(await marketOf(deps, address)), maxAge: 1 }),
});
