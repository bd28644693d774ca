import type { Round } from '../../core/games/round.ts';
import type { GameName } from '../../core/games/tables.ts';
import type { GameStore } from '../../core/ports/game-store.ts';
import { type BigintColumn, fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';

const COLUMNS = `id, user_id AS "userId", game, table_id AS "table", commitment, created_at AS "createdAt", choice,
  points::text AS points, day, started_at AS "startedAt", seed, payout::text AS payout, settled_at AS "settledAt"`;
const OPEN = 'points IS NULL AND withdrawn_at IS NULL';

type Row = Pick<Round, 'id' | 'userId' | 'table' | 'commitment'> & {
  readonly game: string;
  readonly createdAt: Date;
  readonly choice: number | null;
  readonly points: BigintColumn | null;
  readonly day: number | null;
  readonly startedAt: Date | null;
  readonly seed: string | null;
  readonly payout: BigintColumn | null;
  readonly settledAt: Date | null;
};

export function createPrismaGameStore({ query }: Connection): GameStore {
  const first = async (where: string, values: readonly string[]): Promise<Round | null> => {
    const [row] = await query<Row>(`SELECT ${COLUMNS} FROM game_rounds WHERE ${where}`, values);
    return row ? toRound(row) : null;
  };
  return {
    find: (id) => first('id = $1', [id]),
    open: (userId, table) => first(`user_id = $1 AND table_id = $2 AND ${OPEN}`, [userId, table]),
    insert: async ({ id, userId, game, table, commitment, createdAt }) => {
      const rows = await query(
        `INSERT INTO game_rounds (id, user_id, game, table_id, commitment, created_at)
         VALUES ($1, $2, $3, $4, $5, $6::timestamptz)
         ON CONFLICT (user_id, table_id) WHERE ${OPEN} DO NOTHING RETURNING 1`,
        [id, userId, game, table, commitment, toTime(createdAt)],
      );
      return rows.length > 0;
    },
    start: async (id, { choice, points, day, at }) => {
      const rows = await query(
        `UPDATE game_rounds SET choice = $2::int, points = $3::bigint, day = $4::int, started_at = $5::timestamptz
         WHERE id = $1 AND ${OPEN} RETURNING 1`,
        [id, choice, points.toString(), day, toTime(at)],
      );
      return rows.length > 0;
    },
    settle: async (id, { seed, payout, at }) => {
      const rows = await query(
        `UPDATE game_rounds SET seed = $2, payout = $3::bigint, settled_at = $4::timestamptz
         WHERE id = $1 AND settled_at IS NULL RETURNING 1`,
        [id, seed, payout.toString(), toTime(at)],
      );
      return rows.length > 0;
    },
    staked: async (userId, game, day) => {
      const [row] = await query<{ readonly points: BigintColumn }>(
        `SELECT coalesce(sum(points), 0)::text AS points FROM game_rounds
         WHERE user_id = $1 AND game = $2 AND day >= $3::int`,
        [userId, game, day],
      );
      return BigInt(row?.points ?? 0);
    },
    started: async (before, limit) => {
      const rows = await query<{ readonly id: string }>(
        `SELECT id FROM game_rounds WHERE points IS NOT NULL AND settled_at IS NULL AND started_at < $1::timestamptz
         ORDER BY started_at LIMIT $2::int`,
        [toTime(before), limit],
      );
      return rows.map(({ id }) => id);
    },
  };
}

function toRound(row: Row): Round {
  const { choice, points, day, startedAt, seed, payout, settledAt } = row;
  return {
    id: row.id,
    userId: row.userId,
    game: row.game as GameName,
    table: row.table,
    commitment: row.commitment,
    createdAt: fromTime(row.createdAt),
    bet:
      choice === null || points === null || day === null || startedAt === null
        ? null
        : { choice, points: BigInt(points), day, at: fromTime(startedAt) },
    result:
      seed === null || payout === null || settledAt === null
        ? null
        : { seed, payout: BigInt(payout), at: fromTime(settledAt) },
  };
}
