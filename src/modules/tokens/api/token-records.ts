import { z } from 'zod';
import type { UsdPrice } from '../../market/rules/usd-price.ts';
import type { TokenSummary } from '../../market/use/token-summary.ts';
import { displayName } from '../rules/display-name.ts';

const dollars = z.number().nullable();

/** The fields of a price in dollars, in every record that has one. */
export const usdFields = {
  usdPrice: dollars.describe('US dollars for one whole token; null where it is unknown'),
  confidence: z
    .enum(['high', 'medium', 'low'])
    .nullable()
    .describe(
      '`high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500',
    ),
  stale: z.boolean().nullable().describe('it rests on a look that is older than a minute'),
  priceSol: z.number().nullable(),
  liquidityUsd: dollars.describe('twice what could be taken out of all pools whose other side has a price'),
  pricedAt: z.string().nullable().describe('ISO 8601: the oldest look that it rests on'),
};

export function usdOf(price: UsdPrice | null, priceSol: number | null) {
  return {
    usdPrice: price?.usd ?? null,
    confidence: price?.confidence ?? null,
    stale: price?.stale ?? null,
    priceSol,
    liquidityUsd: price?.liquidityUsd ?? null,
    pricedAt: price === null ? null : new Date(price.at).toISOString(),
  };
}

export const tokenRecord = z.object({
  mint: z.string(),
  symbol: z.string().nullable().describe('made fit to show; proves nothing'),
  name: z.string().nullable(),
  decimals: z.number(),
  verified: z.boolean().describe('well known, or vouched for by the operator'),
  imitates: z.string().nullable().describe('mint of the better known token that it can be taken for'),
  ...usdFields,
  change24h: z
    .number()
    .nullable()
    .describe('percent, of the price in dollars; null where that was not known 24 hours ago'),
  change24hQuote: z
    .number()
    .nullable()
    .describe(
      'percent, of the price in its primary market’s quote token; null where it has no price that old',
    ),
  volume24hUsd: dollars,
  primaryMarket: z.string().nullable(),
  createdAt: z.string().describe('ISO 8601: when this desk first saw it'),
});

export function tokenOf(token: TokenSummary): z.infer<typeof tokenRecord> {
  const { mint, decimals, verified, imitates, change24h, change24hQuote, volume24hUsd, primaryMarket } =
    token;
  return {
    mint,
    symbol: displayName(token.symbol),
    name: displayName(token.name),
    decimals,
    verified,
    imitates,
    ...usdOf(token.price, token.priceSol),
    change24h,
    change24hQuote,
    volume24hUsd,
    primaryMarket,
    createdAt: new Date(token.firstSeenAt).toISOString(),
  };
}

export const EXAMPLE_MINT = 'Gh3kQ8mcW6wmNkRZ2CTMGZc4hYhFy1aW1sJQ9u3GmVwA';

export const USD_EXAMPLE = {
  usdPrice: 0.0123456789,
  confidence: 'high' as const,
  stale: false,
  priceSol: 0.00008,
  liquidityUsd: 51234.5,
  pricedAt: '2026-11-22T12:00:00.000Z',
};

export const TOKEN_EXAMPLE: z.infer<typeof tokenRecord> = {
  mint: EXAMPLE_MINT,
  symbol: 'PUP',
  name: 'Puppy',
  decimals: 6,
  verified: false,
  imitates: null,
  ...USD_EXAMPLE,
  change24h: 2.88,
  change24hQuote: 1.12,
  volume24hUsd: 10250.75,
  primaryMarket: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  createdAt: '2026-11-22T12:00:00.000Z',
};
