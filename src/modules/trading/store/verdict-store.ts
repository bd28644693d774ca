import { address } from '../../../core/address/address.ts';
import { firstUlid } from '../../../core/time/ulid.ts';
import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { VerdictCount, VerdictStore } from './verdict-store-port.ts';

// SQL: a look for rows without another, a write that keeps the first one, and a count.

/** A trade may end so long after it was asked for, and be judged all the same. */
const OPEN_MS = 3_600_000;

/** Venues whose pools are curves of launchpads, as terms name them. */
const CURVES = ['pump-fun', 'meteora-dbc', 'raydium-launchlab'] as const;

type LandingRow = {
  readonly mint: string;
  readonly wallet: string;
  readonly isCurve: boolean;
  readonly slippageBps: number;
  readonly failed: boolean;
  readonly at: Date;
};

/** Verdicts in Postgres. */
export function createVerdictStore({ query }: Pick<Connection, 'query'>): VerdictStore {
  return {
    due: async (from, until, limit) =>
      // Ids grow with time, so the primary key finds the young ones.
      (
        await query<{ readonly id: string }>(
          `SELECT intent.id FROM intents AS intent LEFT JOIN trade_verdicts AS verdict ON verdict.intent_id = intent.id
           WHERE intent.id >= $1 AND intent.kind IN ('buy', 'sell') AND intent.status = 'SUCCEEDED'
             AND intent.updated_at >= $2::timestamptz AND intent.updated_at < $3::timestamptz AND verdict.intent_id IS NULL
           ORDER BY intent.id LIMIT $4`,
          [firstUlid(Math.max(0, from - OPEN_MS)), toTime(from), toTime(until), limit],
        )
      ).map(({ id }) => id),
    insert: async (intentId, sender, verdict, at) => {
      await query(
        `INSERT INTO trade_verdicts (intent_id, sender, verdict, cost_bps, judged_at) VALUES ($1, $2, $3, $4, $5::timestamptz)
         ON CONFLICT (intent_id) DO NOTHING RETURNING intent_id`,
        [intentId, sender, verdict.certainty, 'costBps' in verdict ? verdict.costBps : null, toTime(at)],
      );
    },
    landings: async (since, limit) =>
      // Ids grow with time: the primary key is read backwards, and the limit ends it. An attempt that landed with an error is followed by
      // another one only where it failed by the price.
      (
        await query<LandingRow>(
          `SELECT ended.mint, ended.wallet, ended.curve AS "isCurve", ended.slippage AS "slippageBps", ended.failed, ended.at FROM (
             SELECT intent.id, intent.params->>'mint' AS mint, wallet.address AS wallet, intent.updated_at AS at,
               (intent.params->'terms'->>'slippageBps')::int AS slippage,
               EXISTS (SELECT 1 FROM jsonb_array_elements(intent.params->'terms'->'route') AS leg
                       WHERE leg->>'venue' = ANY ($3::text[])) AS curve,
               intent.status <> 'SUCCEEDED' OR EXISTS (
                 SELECT 1 FROM attempts WHERE attempts.intent_id = intent.id AND attempts.status = 'LANDED_ERR') AS failed
             FROM intents AS intent JOIN wallets AS wallet ON wallet.id = intent.wallet_id
             WHERE intent.id >= $1 AND intent.kind IN ('buy', 'sell') AND intent.user_id IS NOT NULL
               AND intent.idem_key NOT LIKE 'copy:%' AND intent.params->'order' IS NULL
               AND (intent.status = 'SUCCEEDED' OR (intent.status = 'REJECTED' AND intent.outcome->>'reason' = 'PRICE_MOVED')
                 OR (intent.status = 'FAILED' AND intent.outcome->'details'->'priceMoved' = 'true'::jsonb))
             ORDER BY intent.id DESC LIMIT $2
           ) AS ended ORDER BY ended.id DESC`,
          [firstUlid(Math.max(0, since)), limit, CURVES],
        )
      ).map(({ mint, wallet, at, ...row }) => ({
        ...row,
        mint: address(mint),
        wallet: address(wallet),
        at: fromTime(at),
      })),
    landingSlots: landingSlots(query),
    counts: async (from) =>
      (
        await query<Omit<VerdictCount, 'trades'> & { readonly trades: string }>(
          `SELECT sender, verdict AS certainty, count(*)::text AS trades FROM trade_verdicts
           WHERE judged_at >= $1::timestamptz GROUP BY 1, 2`,
          [toTime(from)],
        )
      ).map((row) => ({ ...row, trades: Number(row.trades) })),
  };
}

const landingSlots =
  (query: Connection['query']): VerdictStore['landingSlots'] =>
  async (since, limit) =>
    (
      await query<{ readonly slots: number }>(
        `SELECT (attempt.landed_slot - (intent.params->'quotedSlot'->>'$bigint')::bigint)::float8 AS slots
         FROM intents AS intent JOIN attempts AS attempt ON attempt.intent_id = intent.id
         WHERE intent.id >= $1 AND intent.kind IN ('buy', 'sell') AND intent.params->'quotedSlot' IS NOT NULL
           AND attempt.landed_slot IS NOT NULL AND attempt.status IN ('CONFIRMED', 'FINALIZED', 'LANDED_ERR')
         ORDER BY intent.id DESC, attempt.n DESC LIMIT $2`,
        [firstUlid(Math.max(0, since)), limit],
      )
    ).map(({ slots }) => slots);
