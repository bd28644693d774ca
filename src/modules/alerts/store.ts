import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Parameter } from '../../platform/db/connection.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { Alert } from './rules/alert.ts';
import type { AlertStore } from './store-port.ts';

// SQL: prices are exact numbers read as text, and a row is changed only as it was read.

const COLUMNS = `id, user_id AS "userId", mint, unit, price_got::text AS "got", price_given::text AS "given", direction, request,
  repeats, status, armed, told, rests_until AS "restsUntil", version, place_key AS "placeKey", expires_at AS "expiresAt",
  created_at AS "createdAt"`;

type Row = Omit<Alert, 'mint' | 'price' | 'restsUntil' | 'expiresAt' | 'createdAt'> & {
  readonly mint: string;
  readonly got: string;
  readonly given: string;
  readonly restsUntil: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

export function createAlertStore({ query }: Pick<Connection, 'query'>): AlertStore {
  const many = async (where: string, values: readonly string[]): Promise<readonly Alert[]> =>
    (await query<Row>(`SELECT ${COLUMNS} FROM alerts WHERE ${where} ORDER BY id`, values)).map(toAlert);
  return {
    insert: async (alert) => {
      await query(
        `INSERT INTO alerts (id, user_id, mint, unit, price_got, price_given, direction, request, repeats, status, armed, told,
           rests_until, version, place_key, expires_at, created_at)
         VALUES ($1, $2, $3, $4, $5::numeric, $6::numeric, $7, $8, $9, $10, $11, $12, $13::timestamptz, $14, $15,
           $16::timestamptz, $17::timestamptz)
         ON CONFLICT (place_key) DO NOTHING`,
        stored(alert),
      );
      const [row] = await many('place_key = $1', [alert.placeKey]);
      return row ?? alert;
    },
    find: async (id) => (await many('id = $1', [id]))[0] ?? null,
    listOpen: (userId) => many(`user_id = $1 AND status = 'OPEN'`, [userId]),
    countOpen: async (userId) => {
      const [row] = await query<{ readonly count: number }>(
        `SELECT count(*)::int AS count FROM alerts WHERE user_id = $1 AND status = 'OPEN'`,
        [userId],
      );
      return row?.count ?? 0;
    },
    allOpen: (now) => many(`status = 'OPEN' AND expires_at > $1::timestamptz`, [toTime(now)]),
    replace: async ({ id, status, armed, told, restsUntil, version, expiresAt }) => {
      const rows = await query(
        `UPDATE alerts SET status = $2, armed = $3, told = $4, rests_until = $5::timestamptz, version = $6,
           expires_at = $7::timestamptz
         WHERE id = $1 AND version = $6 - 1 RETURNING 1`,
        [id, status, armed, told, toTimeOrNull(restsUntil), version, toTime(expiresAt)],
      );
      return rows.length === 1;
    },
    expire: async (now) => {
      const rows = await query<Row>(
        `UPDATE alerts SET status = 'EXPIRED', version = version + 1 WHERE status = 'OPEN' AND expires_at <= $1::timestamptz
         RETURNING ${COLUMNS}`,
        [toTime(now)],
      );
      return rows.map(toAlert);
    },
  };
}

/** In the order of the columns of `insert`. */
function stored(alert: Alert): readonly Parameter[] {
  const { id, userId, mint, unit, price, direction, request, repeats, status, armed, told, version } = alert;
  const ends = [toTime(alert.expiresAt), toTime(alert.createdAt)];
  const rests = toTimeOrNull(alert.restsUntil);
  const prices = [price.got.toString(), price.given.toString()];
  const state = [direction, request, repeats, status, armed, told, rests, version];
  return [id, userId, mint, unit, ...prices, ...state, alert.placeKey, ...ends];
}

function toAlert({ got, given, mint, restsUntil, expiresAt, createdAt, ...row }: Row): Alert {
  return {
    ...row,
    mint: storedAddress(mint),
    price: { got: BigInt(got), given: BigInt(given) },
    restsUntil: fromTimeOrNull(restsUntil),
    expiresAt: fromTime(expiresAt),
    createdAt: fromTime(createdAt),
  };
}
