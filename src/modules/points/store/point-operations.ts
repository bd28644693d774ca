import { type BigintColumn, fromTimeOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { MinerReport, PointOperations } from './point-operations-port.ts';

// SQL: an operator's reports: sums and measures of spread over several tables.

type ReportRow = Omit<MinerReport, 'telegramId' | 'mined'> & {
  readonly telegramId: BigintColumn;
  readonly mined: BigintColumn;
};

const REPORT = `miner.telegram_id::text AS "telegramId", miner.user_id AS "userId", miner.taps,
  miner.fast_taps AS "fastTaps", miner.pauses, coalesce(rhythm.mean, 0)::float8 AS "pauseMs",
  coalesce(rhythm.spread, 0)::float8 AS "spreadMs"`;
const RHYTHM = `CROSS JOIN LATERAL (SELECT
    miner.pause_sum_ms::float8 / nullif(miner.pauses, 0) AS mean,
    sqrt(greatest(0, miner.pause_squares_ms::float8 / nullif(miner.pauses, 0)
      - (miner.pause_sum_ms::float8 / nullif(miner.pauses, 0)) ^ 2)) AS spread) AS rhythm`;
const MINED = `(coalesce((SELECT sum(mined) FROM point_days AS day WHERE day.user_id = miner.user_id
      AND day >= ($1::timestamptz AT TIME ZONE 'UTC')::date), 0)
    + coalesce((SELECT points FROM unbooked_points AS unbooked WHERE unbooked.user_id = miner.user_id), 0))::text AS mined`;

export function createPointOperations(query: Query): PointOperations {
  return { ...misuseFacts(query), ...seasonActs(query) };
}

/** The rows that an operator checks for misuse. */
function misuseFacts(query: Query): Pick<PointOperations, 'topMiners' | 'machineLike' | 'sharedAddresses'> {
  return {
    topMiners: async (since, limit) => {
      const rows = await query<ReportRow>(
        `SELECT * FROM (SELECT ${REPORT}, ${MINED} FROM point_miners AS miner ${RHYTHM}) AS report
         ORDER BY mined::bigint DESC, "telegramId" LIMIT $2::int`,
        [toTime(since), limit],
      );
      return rows.map(toReport);
    },
    machineLike: async (leastPauses, spread, limit) => {
      const rows = await query<ReportRow>(
        `SELECT ${REPORT}, ${MINED} FROM point_miners AS miner ${RHYTHM}
         WHERE miner.pauses >= $2::int AND rhythm.spread < $3::float8 * rhythm.mean
           OR miner.taps >= $2::int AND miner.fast_taps * 5 > miner.taps
         ORDER BY miner.taps DESC, miner.telegram_id LIMIT $4::int`,
        [toTime(0), leastPauses, spread, limit],
      );
      return rows.map(toReport);
    },
    sharedAddresses: async (limit) => {
      const rows = await query<{ readonly address: string; readonly telegramIds: readonly string[] }>(
        `SELECT seen.address, array_agg(DISTINCT users.telegram_id::text) AS "telegramIds"
         FROM (SELECT user_id, address FROM address_book
           UNION SELECT user_id, params ->> 'destination' FROM intents
             WHERE kind IN ('withdraw-sol', 'withdraw-token') AND user_id IS NOT NULL) AS seen
         JOIN users ON users.id = seen.user_id WHERE seen.address IS NOT NULL
         GROUP BY seen.address HAVING count(DISTINCT seen.user_id) > 1
         ORDER BY count(DISTINCT seen.user_id) DESC, seen.address LIMIT $1::int`,
        [limit],
      );
      return rows.map(({ address, telegramIds }) => ({ address, telegramIds: telegramIds.map(BigInt) }));
    },
  };
}

/** The end of one season and the start of the next. */
function seasonActs(query: Query): Pick<PointOperations, 'beginSeason' | 'holders' | 'finishSeason'> {
  return {
    beginSeason: async ({ number, carryBps, at }) => {
      await query(
        `INSERT INTO point_seasons (number, carry_bps, started_at) VALUES ($1::int, $2::int, $3::timestamptz)
         ON CONFLICT (number) DO NOTHING`,
        [number, carryBps, toTime(at)],
      );
      const [row] = await query<{ readonly carryBps: number; readonly closedAt: Date | null }>(
        'SELECT carry_bps AS "carryBps", closed_at AS "closedAt" FROM point_seasons WHERE number = $1::int',
        [number],
      );
      return { carryBps: row?.carryBps ?? carryBps, closedAt: fromTimeOrNull(row?.closedAt ?? null) };
    },
    holders: async (after, limit) => {
      const rows = await query<{ readonly userId: string; readonly points: BigintColumn }>(
        `SELECT "userId", sum(points)::text AS points FROM (
           SELECT owner AS "userId", balance AS points FROM ledger_accounts WHERE kind = 'points' AND owner > $1 AND balance > 0
           UNION ALL SELECT user_id, points FROM unbooked_points WHERE user_id > $1) AS held
         GROUP BY "userId" ORDER BY "userId" LIMIT $2::int`,
        [after, limit],
      );
      return rows.map(({ userId, points }) => ({ userId, points: BigInt(points) }));
    },
    finishSeason: async (number, at) => {
      const [row] = await query<{ readonly people: number; readonly expired: BigintColumn }>(
        `UPDATE point_seasons SET closed_at = coalesce(closed_at, $2::timestamptz), people = sums.people, expired = sums.expired
         FROM (SELECT count(*)::int AS people, coalesce(sum(entry.amount), 0)::bigint AS expired
           FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
           WHERE transfer.reason = 'points-season' AND transfer.ref = $1::int::text
             AND entry.account_key = 'house/points-expired') AS sums
         WHERE number = $1::int RETURNING point_seasons.people, point_seasons.expired::text AS expired`,
        [number, toTime(at)],
      );
      return { people: row?.people ?? 0, expired: BigInt(row?.expired ?? 0) };
    },
  };
}

function toReport(row: ReportRow): MinerReport {
  return { ...row, telegramId: BigInt(row.telegramId), mined: BigInt(row.mined) };
}
