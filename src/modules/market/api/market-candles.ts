import { RESOLUTIONS } from '@tradepost/tape';
import { z } from 'zod';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { Answer } from '../../../platform/http/answer.ts';
import { invalidRequest } from '../../../platform/http/errors/api-error.ts';
import { marketAddressField, marketOf } from './market-input.ts';
import { marketRoute } from './market-route.ts';
import { EXAMPLE_MARKET } from './v1-route.ts';

const TIME = 'expected Unix seconds, a whole number';
const RESOLUTION = `expected one of ${RESOLUTIONS.join(', ')}`;
const LIMIT = 'expected a whole number from 1 to 1000';
/** Unix seconds of the year 5138: nothing is later. */
const EVER = 99_999_999_999;

const time = z
  .string({ error: TIME })
  .regex(/^\d{1,11}$/, { error: TIME })
  .optional();
const query = z.strictObject({
  address: marketAddressField,
  resolution: z.enum(RESOLUTIONS, { error: RESOLUTION }).default('60').describe('minutes, or 1D'),
  from: time.describe('Unix seconds'),
  to: time.describe('Unix seconds, not included'),
  limit: z
    .string({ error: LIMIT })
    .regex(/^[1-9]\d{0,3}$/, { error: LIMIT })
    .refine((text) => Number(text) <= 1_000, { error: LIMIT })
    .default('500')
    .describe('the newest so many'),
});
const candle = z.object({
  t: z.number().describe('Unix seconds at which it begins'),
  open: z.string(),
  high: z.string(),
  low: z.string(),
  close: z.string(),
  baseVolume: z.string(),
  quoteVolume: z.string(),
  buyVolume: z.string().describe('quote tokens that bought base'),
  trades: z.number(),
});

export const marketCandles = marketRoute<z.infer<typeof query>>({
  path: '/markets/:address/candles',
  operationId: 'listMarketCandles',
  summary: 'Bars of one market',
  description: 'Exact decimals, ascending. There is no bar where nothing was traded.',
  pathFields: ['address'],
  input: { in: 'query', name: 'MarketCandlesRequest', schema: query },
  inputExample: { address: EXAMPLE_MARKET, resolution: '60', limit: '24' },
  output: {
    name: 'MarketCandlesResponse',
    schema: candle.array(),
    example: [
      {
        t: 1795305600,
        open: '1.5',
        high: '1.6',
        low: '1.4',
        close: '1.55',
        baseVolume: '12000.5',
        quoteVolume: '18200.25',
        buyVolume: '9100',
        trades: 41,
      },
    ],
  },
  codes: {
    address: 'ADDRESS_INVALID',
    resolution: 'RESOLUTION_INVALID',
    from: 'TIME_INVALID',
    to: 'TIME_INVALID',
    limit: 'LIMIT_INVALID',
  },
  handle: async (deps, input) => {
    const { market } = await marketOf(deps, input.address);
    const [from, to] = [Number(input.from ?? 0), Number(input.to ?? EVER)];
    if (from > to)
      throw invalidRequest([
        { field: 'to', code: 'TIME_INVALID', message: 'expected a time not before the beginning' },
      ]);
    const { resolution, limit } = input;
    const bars = await deps.market.candles({
      marketId: market.id,
      resolution,
      from,
      to,
      limit: Number(limit),
    });
    const data = bars.flatMap(({ t, prices, base, quote, buyQuote, n }): z.infer<typeof candle>[] =>
      prices === null
        ? []
        : [
            {
              t,
              open: prices.open,
              high: prices.high,
              low: prices.low,
              close: prices.close,
              baseVolume: formatUnits(base, market.baseDecimals),
              quoteVolume: formatUnits(quote, market.quoteDecimals),
              buyVolume: formatUnits(buyQuote, market.quoteDecimals),
              trades: n,
            },
          ],
    );
    return new Answer({ data, maxAge: 1 });
  },
});
