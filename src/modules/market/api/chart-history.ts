import { minutesOf } from '@tradepost/tape';
import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { invalidRequest } from '../../../platform/http/errors/api-error.ts';
import { historyOf, readResolution } from '../rules/udf.ts';
import { MAX_CANDLES } from '../use/load-candles.ts';
import { chartRoute, symbolField, symbolMarket } from './chart-route.ts';

const TIME = 'expected Unix seconds, a whole number';
const RESOLUTION = 'expected one of 1, 3, 5, 15, 30, 60, 120, 180, 240, 1D';
const COUNTBACK = `expected a whole number from 1 to ${MAX_CANDLES}`;
/** A range that ended so long ago is sealed, and does not change any more. */
const CLOSED_AFTER_SECONDS = 600;
const CLOSED_MAX_AGE = 3_600;

/** Charts ask for the time before 1970 too: there is nothing, and no fault. */
const time = (description: string) =>
  z
    .string({ error: TIME })
    .regex(/^-?\d{1,11}$/, { error: TIME })
    .describe(description);

export const chartHistory = chartRoute({
  path: '/v1/trade-history/tv/history',
  operationId: 'showChartHistory',
  summary: 'Bars of one market',
  description: `Ascending, the newest ${MAX_CANDLES.toLocaleString('en-US')} of those that begin in the range.`,
  input: {
    in: 'query',
    name: 'ChartHistoryRequest',
    schema: z.object({
      symbol: symbolField,
      from: time('Unix seconds'),
      to: time('Unix seconds, not included'),
      resolution: z
        .string({ error: RESOLUTION })
        .refine((text) => readResolution(text) !== null, { error: RESOLUTION })
        .describe('minutes, or 1D'),
      countback: z
        .string({ error: COUNTBACK })
        .regex(/^[1-9]\d{0,4}$/, { error: COUNTBACK })
        .refine((text) => Number(text) <= MAX_CANDLES, { error: COUNTBACK })
        .optional()
        .describe('bars before the end, whatever the beginning is'),
    }),
  },
  inputExample: { symbol: 'PUP/USDC', from: '1795305600', to: '1795392000', resolution: '60' },
  output: {
    name: 'ChartHistoryResponse',
    schema: z.object({
      s: z.enum(['ok', 'no_data']),
      t: z.array(z.number()).optional().describe('Unix seconds at which bars begin'),
      o: z.array(z.number()).optional(),
      h: z.array(z.number()).optional(),
      l: z.array(z.number()).optional(),
      c: z.array(z.number()).optional(),
      v: z.array(z.number()).optional().describe('base tokens'),
      nextTime: z.number().optional().describe('the last bar before the range'),
    }),
    example: { s: 'ok', t: [1795305600], o: [1.5], h: [1.6], l: [1.4], c: [1.55], v: [12000.5] },
  },
  codes: {
    symbol: 'SYMBOL_INVALID',
    from: 'TIME_INVALID',
    to: 'TIME_INVALID',
    resolution: 'RESOLUTION_INVALID',
    countback: 'COUNTBACK_INVALID',
  },
  successor: '/markets',
  handle: async (deps, input) => {
    const { market } = await symbolMarket(deps, input.symbol);
    const resolution = readResolution(input.resolution) ?? '1D';
    const to = Math.max(0, Number(input.to));
    const from = Math.max(0, Number(input.from));
    if (Number(input.from) > Number(input.to))
      throw invalidRequest([
        { field: 'to', code: 'TIME_INVALID', message: 'expected a time not before the beginning' },
      ]);
    const bars = await deps.market.candles({
      marketId: market.id,
      resolution,
      ...(input.countback === undefined
        ? { from, to, limit: MAX_CANDLES }
        : { from: 0, to, limit: Number(input.countback) }),
    });
    const isClosed = to < deps.clock.now() / 1_000 - CLOSED_AFTER_SECONDS - minutesOf(resolution) * 60;
    const maxAge = isClosed && market.gapSince === null ? CLOSED_MAX_AGE : 1;
    if (bars.length > 0) return new Answer({ data: historyOf(bars, market.baseDecimals), maxAge });
    const before = input.countback === undefined ? from : to;
    const nextTime = await deps.market.lastBarBefore({ marketId: market.id, resolution, before });
    return new Answer({ data: { s: 'no_data', ...(nextTime === null ? {} : { nextTime }) }, maxAge });
  },
});
