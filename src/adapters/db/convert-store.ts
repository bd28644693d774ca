import type { ConvertEntry, ConvertOutcome, ConvertPeriod } from '../../core/convert/period.ts';
import type { ConvertStore } from '../../core/ports/convert-store.ts';
import { type BigintColumn, fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';

const PERIOD = `number, budget_lamports::text AS "budgetLamports", opens_at AS "opensAt", closes_at AS "closesAt",
  announced_at AS "announcedAt", status, total_points::text AS "totalPoints", paid_lamports::text AS "paidLamports"`;
const ENTRY = `id, period, user_id AS "userId", idem_key AS "idemKey", points::text AS points, created_at AS "createdAt"`;

type PeriodRow = Pick<ConvertPeriod, 'number' | 'status'> & {
  readonly budgetLamports: BigintColumn;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly announcedAt: Date;
  readonly totalPoints: BigintColumn | null;
  readonly paidLamports: BigintColumn | null;
};
type EntryRow = Omit<ConvertEntry, 'points' | 'createdAt'> & {
  readonly points: BigintColumn;
  readonly createdAt: Date;
};
type OutcomeRow = Omit<ConvertOutcome, 'points' | 'lamports' | 'at'> & {
  readonly points: BigintColumn;
  readonly lamports: BigintColumn;
  readonly at: Date;
};

export function createPrismaConvertStore({ query }: Connection): ConvertStore {
  const period = async (number: number, lock: '' | 'FOR SHARE'): Promise<ConvertPeriod | null> => {
    const [row] = await query<PeriodRow>(
      `SELECT ${PERIOD} FROM convert_periods WHERE number = $1::int ${lock}`,
      [number],
    );
    return row ? toPeriod(row) : null;
  };
  const changed = async (sql: string, number: number): Promise<boolean> =>
    (await query(sql, [number])).length > 0;
  return {
    announce: async ({ budgetLamports, opensAt, closesAt, announcedAt }) => {
      // Not by catching the violation: a statement that failed ends the transaction it stands in.
      const [row] = await query<PeriodRow>(
        `INSERT INTO convert_periods (number, budget_lamports, opens_at, closes_at, announced_at, status)
         SELECT coalesce(max(number), 0) + 1, $1::bigint, $2::timestamptz, $3::timestamptz, $4::timestamptz, 'ANNOUNCED'
         FROM convert_periods
         ON CONFLICT ON CONSTRAINT convert_periods_do_not_overlap DO NOTHING RETURNING ${PERIOD}`,
        [budgetLamports.toString(), toTime(opensAt), toTime(closesAt), toTime(announcedAt)],
      );
      return row ? toPeriod(row) : null;
    },
    find: (number) => period(number, ''),
    list: async (limit) => {
      const rows = await query<PeriodRow>(
        `SELECT ${PERIOD} FROM convert_periods ORDER BY number DESC LIMIT $1::int`,
        [limit],
      );
      return rows.map(toPeriod);
    },
    hold: (number) => period(number, 'FOR SHARE'),
    // The row's lock is taken first: a sum that was read before it would miss entries that commit meanwhile.
    begin: async (number) => {
      await query('SELECT FROM convert_periods WHERE number = $1::int FOR UPDATE', [number]);
      return changed(
        `UPDATE convert_periods SET status = 'SETTLING',
           total_points = (SELECT coalesce(sum(points), 0) FROM convert_entries WHERE period = $1::int)
         WHERE number = $1::int AND status = 'ANNOUNCED' RETURNING 1`,
        number,
      );
    },
    cancel: (number) =>
      changed(
        `UPDATE convert_periods SET status = 'CANCELLED' WHERE number = $1::int AND status = 'ANNOUNCED' RETURNING 1`,
        number,
      ),
    finish: (number) =>
      changed(
        `UPDATE convert_periods SET status = 'SETTLED',
           paid_lamports = (SELECT coalesce(sum(lamports), 0) FROM convert_outcomes WHERE period = $1::int)
         WHERE number = $1::int AND status = 'SETTLING' AND NOT EXISTS (SELECT ${waitingOf('$1::int')})
         RETURNING 1`,
        number,
      ),
    entryByKey: async (idemKey) => {
      const [row] = await query<EntryRow>(`SELECT ${ENTRY} FROM convert_entries WHERE idem_key = $1`, [
        idemKey,
      ]);
      return row ? { ...row, points: BigInt(row.points), createdAt: fromTime(row.createdAt) } : null;
    },
    insertEntry: async ({ id, period: number, userId, idemKey, points, createdAt }) => {
      await query(
        `INSERT INTO convert_entries (id, period, user_id, idem_key, points, created_at)
         VALUES ($1, $2::int, $3, $4, $5::bigint, $6::timestamptz)`,
        [id, number, userId, idemKey, points.toString(), toTime(createdAt)],
      );
    },
    entered: async (number, userId) => {
      const [row] = await query<{ readonly total: BigintColumn; readonly own: BigintColumn }>(
        `SELECT coalesce(sum(points), 0)::text AS total, coalesce(sum(points) FILTER (WHERE user_id = $2), 0)::text AS own
         FROM convert_entries WHERE period = $1::int`,
        [number, userId],
      );
      return { total: BigInt(row?.total ?? 0), own: BigInt(row?.own ?? 0) };
    },
    waiting: async (number, limit) => {
      const rows = await query<{ readonly userId: string; readonly points: BigintColumn }>(
        `SELECT waiting.user_id AS "userId", sum(points)::text AS points
         FROM (SELECT entry.user_id, entry.points ${waitingOf('$1::int')}) AS waiting
         GROUP BY waiting.user_id ORDER BY waiting.user_id LIMIT $2::int`,
        [number, limit],
      );
      return rows.map((row) => ({ ...row, points: BigInt(row.points) }));
    },
    cancelledWaiting: async () => {
      const rows = await query<{ readonly number: number }>(
        `SELECT number FROM convert_periods AS cancelled WHERE status = 'CANCELLED'
           AND EXISTS (SELECT ${waitingOf('cancelled.number')})
         ORDER BY number`,
        [],
      );
      return rows.map(({ number }) => number);
    },
    insertOutcome: async ({ period: number, userId, points, lamports, at }) =>
      (
        await query(
          `INSERT INTO convert_outcomes (period, user_id, points, lamports, at)
           VALUES ($1::int, $2, $3::bigint, $4::bigint, $5::timestamptz) ON CONFLICT DO NOTHING RETURNING 1`,
          [number, userId, points.toString(), lamports.toString(), toTime(at)],
        )
      ).length > 0,
    lastOutcome: async (userId) => {
      const [row] = await query<OutcomeRow>(
        `SELECT period, user_id AS "userId", points::text AS points, lamports::text AS lamports, at
         FROM convert_outcomes WHERE user_id = $1 ORDER BY period DESC LIMIT 1`,
        [userId],
      );
      return row
        ? { ...row, points: BigInt(row.points), lamports: BigInt(row.lamports), at: fromTime(row.at) }
        : null;
    },
    watch: async (userId, at) => {
      await query(
        'INSERT INTO convert_watchers (user_id, created_at) VALUES ($1, $2::timestamptz) ON CONFLICT DO NOTHING',
        [userId, toTime(at)],
      );
    },
    isWatching: async (userId) =>
      (await query('SELECT 1 AS found FROM convert_watchers WHERE user_id = $1', [userId])).length > 0,
    takeWatchers: async (limit) => {
      const rows = await query<{ readonly userId: string }>(
        `DELETE FROM convert_watchers WHERE user_id IN (
           SELECT user_id FROM convert_watchers ORDER BY user_id LIMIT $1::int FOR UPDATE SKIP LOCKED)
         RETURNING user_id AS "userId"`,
        [limit],
      );
      return rows.map(({ userId }) => userId);
    },
  };
}

/** From where the entries of a period without an outcome come. */
const waitingOf = (
  period: string,
): string => `FROM convert_entries AS entry WHERE entry.period = ${period} AND NOT EXISTS (
  SELECT FROM convert_outcomes AS outcome WHERE outcome.period = entry.period AND outcome.user_id = entry.user_id)`;

function toPeriod(row: PeriodRow): ConvertPeriod {
  const { totalPoints, paidLamports } = row;
  return {
    number: row.number,
    status: row.status,
    budgetLamports: BigInt(row.budgetLamports),
    opensAt: fromTime(row.opensAt),
    closesAt: fromTime(row.closesAt),
    announcedAt: fromTime(row.announcedAt),
    totalPoints: totalPoints === null ? null : BigInt(totalPoints),
    paidLamports: paidLamports === null ? null : BigInt(paidLamports),
  };
}
