import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import type { TrendHours } from '../../market/store/trending-store-port.ts';
import { limitField } from './token-input.ts';
import { TOKEN_EXAMPLE, tokenOf, tokenRecord } from './token-records.ts';

const WINDOWS = { '1h': 1, '6h': 6, '24h': 24 } as const satisfies Record<string, TrendHours>;
const WINDOW = 'expected 1h, 6h or 24h';

const query = z.strictObject({
  window: z.enum(['1h', '6h', '24h'], { error: WINDOW }).default('24h'),
  limit: limitField(100, 20),
});
const trendRecord = tokenRecord.extend({
  score: z.number().describe('the rules are public: see the documentation of market data'),
  traders: z.number().describe('people who traded it in the window, each once'),
  volumeUsd: z.number().describe('bought and sold in the window'),
  netUsd: z.number().describe('bought less sold'),
});

export const tokensTrending = marketRoute<z.infer<typeof query>>({
  path: '/tokens/trending',
  operationId: 'listTrendingTokens',
  summary: 'Tokens that many people moved into or out of',
  description:
    'The highest score first; worked out every 30 seconds while anything is traded (`x-data-as-of`). Buying and selling the same amount never raises a score, and nothing can be paid for a place.',
  input: { in: 'query', name: 'TokensTrendingRequest', schema: query },
  inputExample: { window: '24h', limit: '20' },
  output: {
    name: 'TokensTrendingResponse',
    schema: trendRecord.array(),
    example: [{ ...TOKEN_EXAMPLE, score: 12.5, traders: 41, volumeUsd: 10250.75, netUsd: 3100.5 }],
  },
  codes: { window: 'WINDOW_INVALID', limit: 'LIMIT_INVALID' },
  handle: async (deps, { window, limit }) => {
    const { computedAt, tokens } = await deps.tokens.trending(WINDOWS[window]);
    const data = tokens.slice(0, Number(limit)).map(({ trend, ...token }): z.infer<typeof trendRecord> => {
      const { score, traders, volumeUsd, netUsd } = trend;
      return { ...tokenOf(token), score, traders, volumeUsd, netUsd };
    });
    const headers = computedAt === null ? {} : { 'x-data-as-of': new Date(computedAt).toISOString() };
    return new Answer({ data, maxAge: 10, headers });
  },
});
