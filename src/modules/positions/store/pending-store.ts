import type { Connection } from '../../../platform/db/connection.ts';
import { EVENT_COLUMNS, type EventRow, encodeEvent, toEvent } from './position-rows.ts';
import type { PositionStore } from './position-store-port.ts';

// SQL: events go in as JSON, as those of the record do.

/** Rows of `position_pending`: events of confirmed attempts, until the commit that ends each of them. */
export function pendingOf(
  query: Connection['query'],
): Pick<PositionStore, 'addPending' | 'dropPending' | 'pending'> {
  return {
    addPending: async (attemptId, events) => {
      if (events.length === 0) return;
      await query(ADD_PENDING, [JSON.stringify(events.map(encodeEvent)), attemptId]);
    },
    dropPending: async (attemptId) => {
      await query('DELETE FROM position_pending WHERE attempt_id = $1', [attemptId]);
    },
    pending: async (walletIds, mints) =>
      (
        await query<EventRow>(
          `SELECT ${EVENT_COLUMNS} FROM position_pending
           WHERE wallet_id = ANY($1::text[]) AND ($2::text[] IS NULL OR mint = ANY($2::text[]))`,
          [walletIds, mints ?? null],
        )
      ).map(toEvent),
  };
}

const ADD_PENDING = `INSERT INTO position_pending (wallet_id, mint, signature, kind, slot, at, units, lamports, revision, final,
    intent_id, attempt_id, fee_lamports, platform_fee_lamports, rent_lamports)
  SELECT wallet_id, mint, signature, kind, slot, at, units, lamports, revision, final, intent_id, $2, fee_lamports,
    platform_fee_lamports, rent_lamports
  FROM jsonb_to_recordset($1::jsonb) AS e(wallet_id text, mint text, signature text, kind text, slot bigint, at timestamptz,
    units numeric, lamports bigint, revision int, final boolean, intent_id text, fee_lamports bigint,
    platform_fee_lamports bigint, rent_lamports bigint)
  ON CONFLICT DO NOTHING`;
