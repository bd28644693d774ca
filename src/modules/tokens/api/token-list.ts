import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { cursorField, indexBehind } from '../../market/api/market-input.ts';
import { nextQuery } from '../../market/api/market-list.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { TOKEN_SORTS } from '../../market/rules/token-list.ts';
import { limitField } from './token-input.ts';
import { placeCursor, placeOf } from './token-place.ts';
import { TOKEN_EXAMPLE, tokenOf, tokenRecord } from './token-records.ts';

const path = '/tokens';
const SORT = `expected one of ${TOKEN_SORTS.join(', ')}`;
const ORDER = 'expected desc or asc';
const VENUE = 'expected the name of a venue, as GET /dex/venues lists them';
const DOLLARS = 'expected a number of dollars with at most two decimals';

const dollars = (description: string) =>
  z
    .string({ error: DOLLARS })
    .regex(/^\d{1,12}(\.\d{1,2})?$/, { error: DOLLARS })
    .optional()
    .describe(description);

const query = z.strictObject({
  sort: z
    .enum(TOKEN_SORTS, { error: SORT })
    .default('volume24hUsd')
    .describe('the figure; unknown ones come last'),
  order: z.enum(['desc', 'asc'], { error: ORDER }).default('desc'),
  verified: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .default('false')
    .describe('true: only those that are well known or vouched for by the operator'),
  minLiquidityUsd: dollars('only tokens of which at least this liquidity is known'),
  minVolume24hUsd: dollars('only tokens of which at least this volume is known'),
  venue: z
    .string({ error: VENUE })
    .regex(/^[a-z0-9-]{1,40}$/, { error: VENUE })
    .optional()
    .describe('only tokens with a market at this venue'),
  limit: limitField(100, 20),
  cursor: cursorField,
});

export const tokensList = marketRoute<z.infer<typeof query>>({
  path,
  operationId: 'listTokens',
  summary: 'All tokens that trade here, sorted and filtered',
  description:
    'One record per token, whatever its markets. The header `link` leads to the next page. Figures change between two pages: a token that moves past the end of a page is in both, or in none. A page may hold fewer records than `limit`.',
  input: { in: 'query', name: 'TokensRequest', schema: query },
  inputExample: { sort: 'liquidityUsd', limit: '20' },
  output: { name: 'TokensResponse', schema: tokenRecord.array(), example: [TOKEN_EXAMPLE] },
  codes: {
    sort: 'QUERY_INVALID',
    order: 'QUERY_INVALID',
    verified: 'QUERY_INVALID',
    minLiquidityUsd: 'QUERY_INVALID',
    minVolume24hUsd: 'QUERY_INVALID',
    venue: 'QUERY_INVALID',
    limit: 'LIMIT_INVALID',
    cursor: 'CURSOR_INVALID',
  },
  errors: ['INDEX_BEHIND'],
  handle: async (deps, input) => {
    const { sort, order, verified, minLiquidityUsd, minVolume24hUsd, venue, limit, cursor } = input;
    // A place is one of this order alone.
    const list = `tokens ${sort} ${order}`;
    const page = await deps.tokens.list({
      sort,
      order,
      verified: verified === 'true',
      minLiquidityUsd: minLiquidityUsd === undefined ? null : Number(minLiquidityUsd),
      minVolume24hUsd: minVolume24hUsd === undefined ? null : Number(minVolume24hUsd),
      venue: venue ?? null,
      among: null,
      limit: Number(limit),
      after: cursor === undefined ? null : placeOf(list, cursor),
    });
    if (page === null) throw indexBehind();
    const { tokens, next, at } = page;
    const following = next === null ? null : placeCursor(list, next);
    const { cursor: _here, ...asked } = input;
    const link = following === null ? {} : { link: `<${path}?${nextQuery(asked, following)}>; rel="next"` };
    return new Answer({
      data: tokens.map(tokenOf),
      maxAge: 5,
      headers: { 'x-data-as-of': new Date(at).toISOString(), ...link },
    });
  },
});
