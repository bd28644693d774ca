import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { searchSymbols } from '../use/find-symbol.ts';
import { chartRoute } from './chart-route.ts';

const LIMIT = 'expected a whole number from 1 to 100';
const QUERY = 'expected at most 128 characters';

export const chartSearch = chartRoute({
  path: '/v1/trade-history/tv/search',
  operationId: 'searchChartSymbols',
  summary: 'Markets by a part of their name',
  description: 'Those that begin with it first, the busiest first.',
  input: {
    in: 'query',
    name: 'ChartSearchRequest',
    schema: z.object({
      query: z.string({ error: QUERY }).max(128, { error: QUERY }).default(''),
      limit: z
        .string({ error: LIMIT })
        .regex(/^([1-9]\d?|100)$/, { error: LIMIT })
        .default('30'),
    }),
  },
  inputExample: { query: 'PU', limit: '30' },
  output: {
    name: 'ChartSearchResponse',
    schema: z.array(
      z.object({
        symbol: z.string(),
        full_name: z.string(),
        description: z.string(),
        exchange: z.string(),
        ticker: z.string(),
        type: z.string(),
      }),
    ),
    example: [
      {
        symbol: 'PUP/USDC',
        full_name: 'PUP/USDC',
        description: 'PUP / USDC',
        exchange: 'raydium-cpmm',
        ticker: 'PUP/USDC',
        type: 'Spot',
      },
    ],
  },
  codes: { query: 'QUERY_INVALID', limit: 'LIMIT_INVALID' },
  successor: '/markets',
  handle: async ({ market }, { query, limit }) => {
    const found = searchSymbols(await market.snapshot(), query.trim(), Number(limit));
    const data = found.map(({ market: m }) => ({
      symbol: m.name,
      full_name: m.name,
      description: `${m.baseTicker} / ${m.quoteTicker}`,
      exchange: m.venue,
      ticker: m.primary ? m.name : m.address,
      type: 'Spot',
    }));
    return new Answer({ data, maxAge: 2 });
  },
});
