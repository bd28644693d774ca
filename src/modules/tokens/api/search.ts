import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { MAX_LINK, readTokenQuery } from '../../market/rules/token-query.ts';
import { limitField } from './token-input.ts';
import { TOKEN_EXAMPLE, tokenOf, tokenRecord } from './token-records.ts';

const QUERY = 'expected a ticker, a name, an address or a link with one, of 1 to 64 characters that show';

const query = z.strictObject({
  q: z
    .string({ error: QUERY })
    .max(MAX_LINK, { error: QUERY })
    .refine((text) => readTokenQuery(text) !== null, { error: QUERY })
    .describe('`$PUP`, `PUP`, `puppy`; the address of a mint, a market or a token account; a link'),
  limit: limitField(50, 10),
});

export const tokensSearch = marketRoute<z.infer<typeof query>>({
  path: '/tokens/search',
  operationId: 'searchTokens',
  summary: 'Tokens by ticker, name, address or link',
  description:
    'The best first: verified with exactly this ticker, the deepest, made here, then names that begin so, contain it or are like it. What can be taken for a better known token stands below it and names it in `imitates`. Empty when nothing is found.',
  input: { in: 'query', name: 'TokensSearchRequest', schema: query },
  inputExample: { q: '$PUP', limit: '10' },
  output: { name: 'TokensSearchResponse', schema: tokenRecord.array(), example: [TOKEN_EXAMPLE] },
  codes: { q: 'QUERY_INVALID', limit: 'LIMIT_INVALID' },
  handle: async (deps, { q, limit }) => {
    const found = await deps.tokens.search({ text: q, limit: Number(limit) });
    return new Answer({ data: found.map(tokenOf), maxAge: 5 });
  },
});
