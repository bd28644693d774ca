import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { chartRoute } from './chart-route.ts';

export const chartTime = chartRoute({
  path: '/v1/trade-history/tv/time',
  operationId: 'showChartTime',
  summary: 'The time of this server',
  description: 'Unix seconds, for charting libraries.',
  input: { in: 'query', name: 'ChartTimeRequest', schema: z.object({}) },
  inputExample: {},
  output: { name: 'ChartTimeResponse', schema: z.number(), example: 1795305600 },
  codes: {},
  successor: '/markets',
  handle: async ({ clock }) => new Answer({ data: Math.floor(clock.now() / 1_000), maxAge: 0 }),
});
