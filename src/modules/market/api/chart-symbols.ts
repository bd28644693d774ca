import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { symbolInfo } from '../rules/udf.ts';
import { chartRoute, symbolField, symbolMarket } from './chart-route.ts';

const MAX_AGE = 30;
const RESOLUTIONS = ['1', '3', '5', '15', '30', '60', '120', '180', '240', '1D'];

export const chartSymbols = chartRoute({
  path: '/v1/trade-history/tv/symbols',
  operationId: 'showChartSymbol',
  summary: 'How a chart draws a market',
  description: 'By ticker, BASE/QUOTE or address; a name that several markets share means the primary one.',
  input: { in: 'query', name: 'ChartSymbolRequest', schema: z.object({ symbol: symbolField }) },
  inputExample: { symbol: 'PUP/USDC' },
  output: {
    name: 'ChartSymbolResponse',
    schema: z.object({
      name: z.string(),
      ticker: z.string().describe('what history is asked for by'),
      description: z.string(),
      type: z.string(),
      session: z.string(),
      exchange: z.string(),
      listed_exchange: z.string(),
      timezone: z.string(),
      has_intraday: z.boolean(),
      supported_resolutions: z.array(z.string()),
      minmov: z.number(),
      pricescale: z.number(),
      has_daily: z.boolean(),
      intraday_multipliers: z.array(z.string()),
      volume_precision: z.number(),
      data_status: z.string(),
    }),
    example: {
      name: 'PUP/USDC',
      ticker: 'PUP/USDC',
      description: 'PUP / USDC',
      type: 'Spot',
      session: '24x7',
      exchange: 'raydium-cpmm',
      listed_exchange: 'raydium-cpmm',
      timezone: 'Etc/UTC',
      has_intraday: true,
      supported_resolutions: RESOLUTIONS,
      minmov: 1,
      pricescale: 1000000,
      has_daily: true,
      intraday_multipliers: RESOLUTIONS.slice(0, -1),
      volume_precision: 6,
      data_status: 'streaming',
    },
  },
  codes: { symbol: 'SYMBOL_INVALID' },
  successor: '/markets',
  handle: async (deps, { symbol }) => {
    const { market, stats } = await symbolMarket(deps, symbol);
    return new Answer({ data: symbolInfo(market, stats?.last?.price ?? null), maxAge: MAX_AGE });
  },
});
