import { z } from 'zod';
import type { Deprecation, OrderBookLimits } from '../modules/market/rules/terms.ts';
import type { Environment } from './environment.ts';
import { day, integer, port } from './fields.ts';

export type MarketConfig = {
  /** The oldest trades go first when the tape has become larger. */
  readonly maxBytes: bigint;
  /** Names the tokens that the operator vouches for; null = the well-known ones alone. */
  readonly verifiedTokensFile: string | null;
  /** Names pools that are looked at beside those that were found; null = there is no such file. */
  readonly poolSeedsFile: string | null;
  /** Whether holders of tokens are counted also where it is dear. */
  readonly countsHolders: boolean;
  /** Of the charting datafeed; null = on the open host alone. */
  readonly chartsPort: number | null;
  readonly deprecation: Deprecation;
  readonly orderBooks: OrderBookLimits;
};

/** Market data. */
export const marketVariables = {
  TAPE_MAX_GB: integer(1, 1_000_000).default(20),
  VERIFIED_TOKENS_FILE: z.string().min(1).optional(),
  POOL_SEEDS_FILE: z.string().min(1).optional(),
  HOLDER_COUNTS: z.enum(['on', 'off']).default('off'),
  CHARTS_PORT: port.optional(),
  V1_DEPRECATED_AT: day.default(Date.UTC(2026, 0, 1)),
  V1_SUNSET_AT: day.optional(),
  ORDERBOOK_PER_SECOND: integer(1, 100_000).default(10),
  ORDERBOOK_PER_MINUTE: integer(1, 1_000_000).default(120),
  ORDERBOOK_BLOCKS: z.enum(['v1', 'host', 'off']).default('v1'),
  OPERATOR_CONTACT: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'expected an address that people may write to, in one line' })
    .optional(),
};

/** The notice of an end comes before the end. */
export function sunsetProblems({
  V1_DEPRECATED_AT: deprecatedAt,
  V1_SUNSET_AT: sunsetAt,
}: Environment): readonly string[] {
  return sunsetAt !== undefined && sunsetAt < deprecatedAt
    ? ['V1_SUNSET_AT: expected a day after V1_DEPRECATED_AT']
    : [];
}

const LOCAL_CHARTS_PORT = 4405;

/** The market data to keep and offer, by the environment. */
export function marketConfig(env: Environment): MarketConfig {
  return {
    maxBytes: BigInt(env.TAPE_MAX_GB) * 1_073_741_824n,
    verifiedTokensFile: env.VERIFIED_TOKENS_FILE ?? null,
    poolSeedsFile: env.POOL_SEEDS_FILE ?? null,
    countsHolders: env.HOLDER_COUNTS === 'on',
    // On one's own machine without asking; on any port where the API is on any.
    chartsPort:
      env.CHARTS_PORT ?? (env.NODE_ENV === 'production' ? null : env.API_PORT === 0 ? 0 : LOCAL_CHARTS_PORT),
    deprecation: { deprecatedAt: env.V1_DEPRECATED_AT, sunsetAt: env.V1_SUNSET_AT ?? null },
    orderBooks: {
      perSecond: env.ORDERBOOK_PER_SECOND,
      perMinute: env.ORDERBOOK_PER_MINUTE,
      blocks: env.ORDERBOOK_BLOCKS,
      contact: env.OPERATOR_CONTACT ?? null,
    },
  };
}
