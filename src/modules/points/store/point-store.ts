import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import { type BigintColumn, encodePlain, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { Miner } from '../rules/mining.ts';
import { assertWholeDays } from '../rules/utc.ts';
import { pointHistory } from './point-history.ts';
import type { PointStore } from './point-store-port.ts';

// SQL: a tap is one statement that compares the version, writes and books; boards and facts are sums over several tables.

type MinerRow = Omit<Miner, 'telegramId' | 'energyAt' | 'lastTapAt' | 'pauseSumMs' | 'pauseSquaresMs'> & {
  readonly telegramId: BigintColumn;
  readonly energyAt: Date;
  readonly lastTapAt: Date;
  readonly pauseSumMs: BigintColumn;
  readonly pauseSquaresMs: BigintColumn;
};
type FindRow = { readonly points: BigintColumn } & (MinerRow | { readonly userId: null });

const FIND = `SELECT miner.telegram_id::text AS "telegramId", miner.user_id AS "userId", miner.version, miner.energy,
    miner.energy_at AS "energyAt", miner.day, miner.mined_today AS "minedToday", miner.streak,
    miner.last_tap_at AS "lastTapAt", miner.taps, miner.fast_taps AS "fastTaps", miner.pauses,
    miner.pause_sum_ms::text AS "pauseSumMs", miner.pause_squares_ms::text AS "pauseSquaresMs",
    (coalesce(account.balance, 0) + coalesce(unbooked.points, 0))::text AS points
  FROM (SELECT $1::bigint AS telegram_id, $2 AS user_id) AS who
  LEFT JOIN point_miners AS miner ON miner.telegram_id = who.telegram_id
  LEFT JOIN ledger_accounts AS account ON account.key = 'points/' || who.user_id
  LEFT JOIN unbooked_points AS unbooked ON unbooked.user_id = who.user_id`;

/** Null bounds compare with nothing: the version decides alone who writes. */
const SAVE = `INSERT INTO point_miners AS miner (telegram_id, user_id, version, energy, energy_at, day, mined_today, streak,
    last_tap_at, taps, fast_taps, pauses, pause_sum_ms, pause_squares_ms)
  VALUES ($2::bigint, $3, $4::int, $5::int, $6::timestamptz, $7::int, $8::int, $9::int, $10::timestamptz, $11::int,
    $12::int, $13::int, $14::bigint, $15::bigint)
  ON CONFLICT (telegram_id) DO UPDATE SET version = excluded.version, energy = excluded.energy,
    energy_at = excluded.energy_at, day = excluded.day, mined_today = excluded.mined_today, streak = excluded.streak,
    last_tap_at = excluded.last_tap_at, taps = excluded.taps, fast_taps = excluded.fast_taps, pauses = excluded.pauses,
    pause_sum_ms = excluded.pause_sum_ms, pause_squares_ms = excluded.pause_squares_ms
  WHERE miner.version = $1::int RETURNING 1`;

/** One statement for both: the row's new version and the points of the tap commit together, at one round trip per tap. */
const SAVE_AND_GAIN = `WITH saved AS (${SAVE})
  SELECT points_mined($3, $16::jsonb, $17::bigint)::text AS unbooked FROM saved`;

export function createPrismaPointStore(connection: Connection): PointStore {
  return { ...minerRows(connection), ...pointFacts(connection), ...leaderBoard(connection) };
}

/** How one person mines. */
function minerRows({ query }: Pick<Connection, 'query'>): Pick<PointStore, 'find' | 'saveTap'> {
  return {
    find: async (telegramId, userId) => {
      const [row] = await query<FindRow>(FIND, [telegramId.toString(), userId]);
      const points = BigInt(row?.points ?? 0);
      return { miner: row === undefined || row.userId === null ? null : toMiner(row), points };
    },
    saveTap: async (miner, expected, transfer) => {
      const values = [
        expected,
        miner.telegramId.toString(),
        miner.userId,
        miner.version,
        miner.energy,
        toTime(miner.energyAt),
        miner.day,
        miner.minedToday,
        miner.streak,
        toTime(miner.lastTapAt),
        miner.taps,
        miner.fastTaps,
        miner.pauses,
        miner.pauseSumMs.toString(),
        miner.pauseSquaresMs.toString(),
      ];
      if (transfer === null) return (await query(SAVE, values)).length > 0;
      const [tap, gained] = tapArguments(transfer);
      return (await query(SAVE_AND_GAIN, [...values, tap, gained])).length > 0;
    },
  };
}

/** The points that one person earned. */
function pointFacts({ query }: Pick<Connection, 'query'>): Pick<PointStore, 'facts' | 'posted' | 'history'> {
  return {
    facts: async (userId, { from, until }) => {
      const [row] = await query<{
        readonly trades: number;
        readonly tradePoints: BigintColumn;
        readonly mined: BigintColumn;
        readonly pin: number;
        readonly invitees: number;
        readonly tokens: number;
      }>(
        `SELECT days.*,
           (SELECT count(*)::int FROM guards WHERE user_id = $1 AND pin_hash IS NOT NULL) AS pin,
           (SELECT count(*)::int FROM (SELECT DISTINCT invitee_id FROM rewards WHERE ${INVITED}) AS invitee
             WHERE EXISTS (SELECT FROM rewards JOIN intents ON intents.id = rewards.intent_id
               WHERE ${INVITED} AND rewards.invitee_id = invitee.invitee_id AND intents.kind IN ('buy', 'sell'))) AS invitees,
           (SELECT count(*)::int FROM intents WHERE user_id = $1 AND kind = 'create-token' AND status = 'SUCCEEDED'
             AND updated_at >= $2::timestamptz AND updated_at < $3::timestamptz) AS tokens
         FROM (SELECT coalesce(sum(trades), 0)::int AS trades, coalesce(sum(trade_points), 0)::text AS "tradePoints",
             coalesce(sum(mined), 0)::text AS mined
           FROM (${DAYS}) AS day WHERE user_id = $1) AS days`,
        [userId, ...daySpan(from, until)],
      );
      return {
        trades: row?.trades ?? 0,
        'trade-points': Number(row?.tradePoints ?? 0),
        mined: Number(row?.mined ?? 0),
        pin: row?.pin ?? 0,
        invitees: row?.invitees ?? 0,
        tokens: row?.tokens ?? 0,
      };
    },
    posted: async (keys) => {
      const rows = await query<{ readonly key: string }>(
        'SELECT key FROM ledger_transfers WHERE key = ANY($1::text[])',
        [keys],
      );
      return new Set(rows.map(({ key }) => key));
    },
    history: (userId, page) => pointHistory(query, userId, page),
  };
}

/** The board, and the names that people chose for it. */
function leaderBoard({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): Pick<PointStore, 'board' | 'boardName' | 'setBoardName'> {
  return {
    board: async ({ from, until }, limit, userId) => {
      const rows = await query<{
        readonly userId: string;
        readonly name: string | null;
        readonly place: number;
        readonly points: BigintColumn;
      }>(
        `WITH sums AS (
           SELECT user_id, sum(earned) AS points FROM (${DAYS}) AS day GROUP BY user_id
         ), placed AS (
           SELECT user_id, points, (row_number() OVER (ORDER BY points DESC, user_id))::int AS place FROM sums)
         SELECT user_id AS "userId", board_name AS name, place, points::text AS points
         FROM placed LEFT JOIN point_profiles USING (user_id) WHERE place <= $4::int OR user_id = $1 ORDER BY place`,
        [userId, ...daySpan(from, until), limit],
      );
      return rows.map((row) => ({ ...row, points: BigInt(row.points) }));
    },
    boardName: async (userId) => {
      const row = await prisma().pointProfile.findUnique({ where: { userId } });
      return row?.boardName ?? null;
    },
    setBoardName: async (userId, name) => {
      await prisma().pointProfile.upsert({
        where: { userId },
        create: { userId, boardName: name },
        update: { boardName: name },
      });
    },
  };
}

/** A date in the far future that Postgres can hold. */
const FAR = Date.UTC(9999, 0, 1);

/** Rewards of $1 from $2 to before $3. One trade of each invitee is looked up, not all of them. */
const INVITED = `rewards.inviter_id = $1 AND rewards.created_at >= $2::timestamptz AND rewards.created_at < $3::timestamptz`;

/** Sums by person and day from $2 to before $3, with points that are mined and not yet booked. */
const DAYS = `SELECT user_id, earned, mined, trade_points, trades FROM point_days
  WHERE day >= ($2::timestamptz AT TIME ZONE 'UTC')::date AND day < ($3::timestamptz AT TIME ZONE 'UTC')::date
  UNION ALL SELECT user_id, points, points, 0, 0 FROM unbooked_points
  WHERE last_at >= $2::timestamptz AND last_at < $3::timestamptz`;

function daySpan(from: number, until: number): readonly [string, string] {
  assertWholeDays({ from, until });
  return [toTime(from), toTime(Math.min(until, FAR))];
}

/** The input of `points_mined`: the transfer that the tap is a part of, and its points. */
function tapArguments(transfer: LedgerTransfer): readonly [string, string] {
  const { id, key, ref, createdAt, entries } = transfer;
  const gained = entries.find(({ account }) => account.kind === 'points')?.amount ?? 0n;
  return [encodePlain({ id, key, ref, created_at: toTime(createdAt) }), gained.toString()];
}

function toMiner(row: MinerRow): Miner {
  return {
    telegramId: BigInt(row.telegramId),
    userId: row.userId,
    version: row.version,
    energy: row.energy,
    energyAt: fromTime(row.energyAt),
    day: row.day,
    minedToday: row.minedToday,
    streak: row.streak,
    lastTapAt: fromTime(row.lastTapAt),
    taps: row.taps,
    fastTaps: row.fastTaps,
    pauses: row.pauses,
    pauseSumMs: Number(row.pauseSumMs),
    pauseSquaresMs: Number(row.pauseSquaresMs),
  };
}
