import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { UDF_CONFIG } from '../rules/udf.ts';
import { chartRoute } from './chart-route.ts';

const DAY_SECONDS = 86_400;

export const chartConfig = chartRoute({
  path: '/v1/trade-history/tv/config',
  operationId: 'showChartConfig',
  summary: 'What the charting datafeed can do',
  description: 'For charting libraries that speak UDF.',
  input: { in: 'query', name: 'ChartConfigRequest', schema: z.object({}) },
  inputExample: {},
  output: {
    name: 'ChartConfigResponse',
    schema: z.object({
      supported_resolutions: z.array(z.string()),
      supports_group_request: z.boolean(),
      supports_marks: z.boolean(),
      supports_search: z.boolean(),
      supports_timescale_marks: z.boolean(),
      supports_time: z.boolean(),
      exchanges: z.array(z.unknown()),
      symbols_types: z.array(z.unknown()),
    }),
    example: UDF_CONFIG,
  },
  codes: {},
  successor: '/markets',
  handle: async () => new Answer({ data: UDF_CONFIG, maxAge: DAY_SECONDS }),
});
