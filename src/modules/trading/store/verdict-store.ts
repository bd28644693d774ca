import { firstUlid } from '../../../core/time/ulid.ts';
import { toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { VerdictCount, VerdictStore } from './verdict-store-port.ts';

// SQL: a look for rows without another, a write that keeps the first one, and a count.

/** A trade may end so long after it was asked for, and be judged all the same. */
const OPEN_MS = 3_600_000;

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
