import { z } from 'zod';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { DAY_SECONDS, type FlowSums, USD_DECIMALS } from '../rules/wallet-flows.ts';
import type { WalletReach } from '../use/read-wallet-trades.ts';

/** Gaps in one answer; more of them say no more. */
const MOST_GAPS = 100;

/** A sum that may exceed the units of one amount. */
export const sumText = (description: string) =>
  z
    .string()
    .regex(/^\d{1,40}$/)
    .describe(description);
export const usdText = (description: string) =>
  z
    .string()
    .regex(/^\d{1,40}(\.\d{1,6})?$/)
    .describe(description);

export const flowFields = {
  bought: sumText('smallest units of the token'),
  costLamports: sumText('SOL paid for them, in lamports'),
  costUsd: usdText('dollar tokens paid for them, as whole dollars'),
  sold: sumText('smallest units of the token'),
  proceedsLamports: sumText('SOL got for them, in lamports'),
  proceedsUsd: usdText('dollar tokens got for them, as whole dollars'),
  trades: z.int().describe('all of its trades, those without a value too'),
  unvalued: z
    .int()
    .describe('trades against a token that is neither SOL nor a dollar: their units are in no sum'),
};

export const FLOW_EXAMPLE = {
  bought: '5000000',
  costLamports: '1000000000',
  costUsd: '0',
  sold: '2000000',
  proceedsLamports: '600000000',
  proceedsUsd: '0',
  trades: 2,
  unvalued: 0,
};

export function flowOf(sums: FlowSums): typeof FLOW_EXAMPLE {
  return {
    bought: sums.bought.toString(),
    costLamports: sums.costLamports.toString(),
    costUsd: dollarsOf(sums.costUsd),
    sold: sums.sold.toString(),
    proceedsLamports: sums.proceedsLamports.toString(),
    proceedsUsd: dollarsOf(sums.proceedsUsd),
    trades: sums.trades,
    unvalued: sums.unvalued,
  };
}

/** Millionths of a dollar as dollars, exactly. */
export function dollarsOf(micro: bigint): string {
  return formatUnits(micro, USD_DECIMALS);
}

export const reachFields = {
  since: z
    .string()
    .nullable()
    .describe(
      'ISO 8601: from here on trades are in the sums, for 180 days at most; null before anything was read',
    ),
  gaps: z
    .array(
      z.object({
        market: z.string(),
        sinceSlot: z.string(),
        reason: z
          .enum(['lost', 'unread'])
          .describe('lost: the node had forgotten trades; unread: a trade cannot be read yet'),
      }),
    )
    .describe(
      'markets whose trades are missing from a slot on, whether this address traded there or not; at most 100',
    ),
};

export const REACH_EXAMPLE = { since: '2026-06-02T00:00:00.000Z', gaps: [] };

export function reachRecord({ since, gaps }: WalletReach) {
  return {
    since: since === null ? null : new Date(since * 1_000).toISOString(),
    gaps: gaps
      .slice(0, MOST_GAPS)
      .map(({ sinceSlot, ...gap }) => ({ ...gap, sinceSlot: sinceSlot.toString() })),
  };
}

/** A day as `2026-11-28`. */
export function dayText(day: number): string {
  return new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
}
