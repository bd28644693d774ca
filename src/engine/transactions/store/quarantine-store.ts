import { fromTime, fromTimeOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { REPORT } from '../../../platform/db/json/other-json.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { Quarantine, QuarantineStore } from '../../../platform/ports/operations.ts';

// SQL: the flag, the rounds and the quarantine move in one statement; its reads are of a few rows by an operator, on a
// connection that may be a transaction's.

export function createQuarantineStore(query: Query): QuarantineStore {
  return { ...quarantine(query), ...knownFacts(query) };
}

/** The quarantine that is in force. */
function quarantine(query: Query): Pick<QuarantineStore, 'current' | 'enter' | 'lift' | 'lastLifted'> {
  return {
    current: async () => {
      const [row] = await query<
        Omit<Quarantine, 'dataAsOf' | 'enteredAt'> & { readonly dataAsOf: Date; readonly enteredAt: Date }
      >(
        `SELECT id, reason, data_as_of AS "dataAsOf", entered_at AS "enteredAt" FROM quarantines WHERE lifted_at IS NULL`,
        [],
      );
      return row ? { ...row, dataAsOf: fromTime(row.dataAsOf), enteredAt: fromTime(row.enteredAt) } : null;
    },
    lastLifted: async () => {
      const [row] = await query<{ readonly at: Date | null }>(
        'SELECT max(lifted_at) AS at FROM quarantines',
        [],
      );
      return fromTimeOrNull(row?.at ?? null);
    },
    enter: async ({ id, reason, dataAsOf, enteredAt }) => {
      const rows = await query(
        `WITH flag AS (
           INSERT INTO system_flags (flag, is_on, updated_at) VALUES ('quarantined', true, $4::timestamptz)
           ON CONFLICT (flag) DO UPDATE SET is_on = true, updated_at = excluded.updated_at
         )
         INSERT INTO quarantines (id, reason, data_as_of, entered_at)
         VALUES ($1, $2, $3::timestamptz, $4::timestamptz)
         ON CONFLICT ((true)) WHERE lifted_at IS NULL DO NOTHING RETURNING id`,
        [id, reason, toTime(dataAsOf), toTime(enteredAt)],
      );
      return rows.length > 0;
    },
    lift: async (id, at, report) => {
      await query(
        `WITH flag AS (
           UPDATE system_flags SET is_on = false, updated_at = $2::timestamptz WHERE flag = 'quarantined'
         ), rounds AS (
           -- A round that is open in a restored database may have been played since: its seed would be known.
           UPDATE game_rounds SET withdrawn_at = $2::timestamptz WHERE points IS NULL AND withdrawn_at IS NULL
         )
         UPDATE quarantines SET lifted_at = $2::timestamptz, report = $3::jsonb WHERE id = $1`,
        [id, toTime(at), REPORT.encode(id, report)],
      );
    },
  };
}

/** The facts of a restored database that are compared with the chain. */
function knownFacts(query: Query): Pick<QuarantineStore, 'newestWrite' | 'wallets' | 'latelyUsed'> {
  return {
    newestWrite: async () => {
      const [row] = await query<{ readonly at: Date }>(
        `SELECT greatest((SELECT max(updated_at) FROM intents), (SELECT max(signed_at) FROM attempts), 'epoch') AS at`,
        [],
      );
      return row ? fromTime(row.at) : 0;
    },
    wallets: async () => {
      const rows = await query<{ readonly id: string; readonly address: string }>(
        'SELECT id, address FROM wallets ORDER BY id',
        [],
      );
      // Written by the wallet store from a checked address.
      return rows.map((row) => ({ ...row, address: storedAddress(row.address) }));
    },
    latelyUsed: async (limit) => {
      const rows = await query<{ readonly address: string }>(
        `SELECT address FROM wallets JOIN (SELECT wallet_id, bool_or(is_open) AS is_open, max(id) AS newest FROM (
             SELECT id, wallet_id, true AS is_open FROM intents WHERE status IN ('CREATED', 'ACTIVE')
             UNION ALL (SELECT id, wallet_id, false FROM intents ORDER BY id DESC LIMIT 200)
           ) AS recent GROUP BY wallet_id) AS used ON used.wallet_id = wallets.id
         ORDER BY is_open DESC, newest DESC LIMIT $1::int`,
        [limit],
      );
      return rows.map((row) => storedAddress(row.address));
    },
  };
}
