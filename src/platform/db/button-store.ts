import type { ButtonRows, SealedButton } from '../ports/button-store.ts';
import { encodePlain, fromTime, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';
import { BUTTON } from './json/other-json.ts';

// SQL: every press of a button runs it; a button is taken by compare-and-set, and rows go in by the dozen.

export const BUTTON_COLUMNS =
  'id, user_id AS "userId", action, payload, expires_at AS "expiresAt", used_at AS "usedAt", seal';
const ALIVE = 'id = $1 AND user_id = $2 AND used_at IS NULL AND expires_at > $3::timestamptz';

export type ButtonRow = Omit<SealedButton, 'expiresAt' | 'usedAt'> & {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
};

/** Keeps the lock on a busy table short. */
const DELETE_AT_ONCE = 5_000;

export function createButtonRows({ query }: Connection): ButtonRows {
  return {
    insert: async (buttons) => {
      if (buttons.length === 0) return;
      const records = buttons.map((button) => ({
        id: button.id,
        user_id: button.userId,
        action: button.action,
        payload: BUTTON.encode(button.id, button.payload),
        expires_at: toTime(button.expiresAt),
        used_at: toTimeOrNull(button.usedAt),
        seal: button.seal,
      }));
      await query(
        `INSERT INTO buttons (id, user_id, action, payload, expires_at, used_at, seal)
         SELECT id, user_id, action, payload::jsonb, expires_at, used_at, seal
         FROM jsonb_to_recordset($1::jsonb)
           AS r (id text, user_id text, action text, payload text, expires_at timestamptz, used_at timestamptz, seal text)`,
        [encodePlain(records)],
      );
    },
    peek: async (id, userId, now) => {
      const [row] = await query<ButtonRow>(`SELECT ${BUTTON_COLUMNS} FROM buttons WHERE ${ALIVE}`, [
        id,
        userId,
        toTime(now),
      ]);
      return row ? toButton(row) : null;
    },
    consume: async (id, userId, now) => {
      const [row] = await query<ButtonRow>(
        `UPDATE buttons SET used_at = $3::timestamptz WHERE ${ALIVE} RETURNING ${BUTTON_COLUMNS}`,
        [id, userId, toTime(now)],
      );
      return row ? toButton(row) : null;
    },
    deleteExpired: async (before) => {
      const [row] = await query<{ readonly count: number }>(
        `WITH gone AS (DELETE FROM buttons WHERE id IN (SELECT id FROM buttons WHERE expires_at < $1::timestamptz
           ORDER BY expires_at LIMIT ${DELETE_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1)
         SELECT count(*)::int AS count FROM gone`,
        [toTime(before)],
      );
      return row?.count ?? 0;
    },
  };
}

export function toButton(row: ButtonRow): SealedButton {
  const payload = BUTTON.decode(row.id, row.payload);
  return { ...row, payload, expiresAt: fromTime(row.expiresAt), usedAt: fromTimeOrNull(row.usedAt) };
}
