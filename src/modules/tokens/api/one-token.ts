import { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { Answer } from '../../../platform/http/answer.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { addressField } from '../../market/api/fields.ts';
import { liquidityUsdOf } from '../../market/api/market-records.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import { displayName } from '../rules/display-name.ts';
import { EXAMPLE_MINT, TOKEN_EXAMPLE, tokenRecord, usdOf } from './token-records.ts';

const query = z.strictObject({ mint: addressField('mint of the token') });
const percent = z.number().nullable();
const dollars = z.number().nullable();
const changes = z.object({ '5m': percent, '1h': percent, '6h': percent, '24h': percent });

const profileRecord = tokenRecord.omit({ change24h: true, change24hQuote: true }).extend({
  change: changes.describe(
    'percent, of the price in dollars; null where no price is that old, or it was not known in dollars',
  ),
  changeQuote: changes.describe('percent, of the price in its primary market’s quote token'),
  traders24h: z.number().nullable(),
  marketCapUsd: dollars.describe('price × full supply, what creators and pools hold included'),
  supply: z.string().describe('whole tokens, exact decimal'),
  holders: z.number().nullable().describe('owners of some of it; null where the desk does not count them'),
  top10Percent: percent.describe('of the supply, in the ten largest accounts that are no pool’s'),
  safety: z
    .object({
      level: z.enum(['OK', 'CAREFUL', 'BLOCK']),
      warnings: z.array(z.object({ code: z.string(), severity: z.enum(['NOTE', 'CAREFUL', 'BLOCK']) })),
    })
    .describe(
      'of the mint and of its market: `SMALL` below $5,000 of liquidity, `YOUNG` below a day, `FEW_HOLDERS` below 50, `NOT_ENOUGH_KNOWN` where one of these is not known; a verified token is judged by its mint alone',
    ),
  launch: z
    .object({ pad: z.string(), bondedPercent: z.number(), graduated: z.boolean() })
    .nullable()
    .describe('of a token that was launched here'),
  passportUrl: z.string().nullable(),
  markets: z
    .array(
      z.object({
        address: z.string(),
        market: z.string(),
        venue: z.string(),
        liquidityUsd: dollars,
        primary: z.boolean(),
        gap: z.boolean(),
      }),
    )
    .describe('the deepest first'),
  asOf: z.string().describe('ISO 8601: the moment of the market figures'),
});

const { change24h: _, change24hQuote: __, ...COMMON } = TOKEN_EXAMPLE;

export const tokenProfile = marketRoute<z.infer<typeof query>>({
  path: '/tokens/:mint',
  operationId: 'showToken',
  summary: 'One token: price, change, liquidity, holders, safety, markets',
  description:
    'Any mint of the cluster. Null is what nobody knows, never 0. 404 TOKEN_NOT_FOUND for what is no mint.',
  pathFields: ['mint'],
  input: { in: 'query', name: 'TokenProfileRequest', schema: query },
  inputExample: { mint: EXAMPLE_MINT },
  output: {
    name: 'TokenProfileResponse',
    schema: profileRecord,
    example: {
      ...COMMON,
      change: { '5m': 0.1, '1h': -0.52, '6h': 1.2, '24h': 2.88 },
      changeQuote: { '5m': 0.1, '1h': -0.6, '6h': 0.9, '24h': 1.12 },
      traders24h: 41,
      marketCapUsd: 1234567.89,
      supply: '100000000',
      holders: 812,
      top10Percent: 18.4,
      safety: { level: 'CAREFUL', warnings: [{ code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' }] },
      launch: null,
      passportUrl: `https://desk.example.org/token/${EXAMPLE_MINT}`,
      markets: [
        {
          address: TOKEN_EXAMPLE.primaryMarket,
          market: 'PUP/USDC',
          venue: 'raydium-cpmm',
          liquidityUsd: 51234.5,
          primary: true,
          gap: false,
        },
      ],
      asOf: '2026-11-22T12:00:00.000Z',
    },
  },
  errors: ['TOKEN_NOT_FOUND'],
  codes: { mint: 'ADDRESS_INVALID' },
  handle: async (deps, { mint }) => {
    const profile = await deps.tokens.profile(address(mint));
    if (profile === null) throw notFound();
    return new Answer({ data: recordOf(profile, deps.site.publicUrl()), maxAge: 5 });
  },
});

function notFound(): ApiError {
  const message = 'no mint has this address; GET /tokens/search finds tokens by name';
  return new ApiError({
    status: 404,
    code: 'TOKEN_NOT_FOUND',
    message,
    field: 'mint',
    details: [{ field: 'mint', code: 'TOKEN_NOT_FOUND', message }],
  });
}

function recordOf(profile: TokenProfile, publicUrl: string | null): z.infer<typeof profileRecord> {
  const { token, verified, imitates, change, changeQuote, launch, safety } = profile;
  const { volume24hUsd, traders24h, marketCapUsd, holders, top10Percent } = profile;
  return {
    mint: token.mint,
    symbol: displayName(token.symbol),
    name: displayName(token.name),
    decimals: token.decimals,
    verified,
    imitates,
    ...usdOf(profile.price, profile.priceSol),
    volume24hUsd,
    primaryMarket: profile.primaryMarket?.market.address ?? null,
    createdAt: new Date(profile.firstSeenAt).toISOString(),
    change,
    changeQuote,
    traders24h,
    marketCapUsd,
    supply: formatUnits(token.supply, token.decimals),
    holders,
    top10Percent,
    safety: {
      level: safety.level,
      warnings: safety.warnings.map(({ code, severity }) => ({ code, severity })),
    },
    launch:
      launch === null
        ? null
        : { pad: launch.pad, bondedPercent: launch.soldBps / 100, graduated: launch.graduated },
    passportUrl: publicUrl === null ? null : `${publicUrl}/token/${token.mint}`,
    markets: profile.markets.map((entry) => ({
      address: entry.market.address,
      market: entry.market.name,
      venue: entry.market.venue,
      liquidityUsd: liquidityUsdOf(entry),
      primary: entry.market.primary,
      gap: entry.market.gapSince !== null,
    })),
    asOf: new Date(profile.asOf).toISOString(),
  };
}
