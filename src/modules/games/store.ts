import { fromTime, toTime } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import type { GameRoundModel } from '../../platform/db/generated/models.ts';
import { storedWord } from '../../platform/db/stored-word.ts';
import type { Round } from './rules/round.ts';
import { GAMES } from './rules/tables.ts';
import type { GameStore } from './store-port.ts';

/** Points were not staked yet and the round was not withdrawn. */
const OPEN = { points: null, withdrawnAt: null };

export function createPrismaGameStore({ prisma, query }: Connection): GameStore {
  return {
    find: async (id) => {
      const row = await prisma().gameRound.findUnique({ where: { id } });
      return row && toRound(row);
    },
    open: async (userId, table) => {
      const row = await prisma().gameRound.findFirst({ where: { userId, tableId: table, ...OPEN } });
      return row && toRound(row);
    },
    insert: async ({ id, userId, game, table, commitment, createdAt }) => {
      // SQL: a second open round of a person at a table is refused by a partial index, which no model knows.
      const rows = await query(
        `INSERT INTO game_rounds (id, user_id, game, table_id, commitment, created_at)
         VALUES ($1, $2, $3, $4, $5, $6::timestamptz)
         ON CONFLICT (user_id, table_id) WHERE points IS NULL AND withdrawn_at IS NULL DO NOTHING RETURNING 1`,
        [id, userId, game, table, commitment, toTime(createdAt)],
      );
      return rows.length > 0;
    },
    start: async (id, { choice, points, day, at }) => {
      const { count } = await prisma().gameRound.updateMany({
        where: { id, ...OPEN },
        data: { choice, points, day, startedAt: new Date(at) },
      });
      return count > 0;
    },
    settle: async (id, { seed, payout, at }) => {
      const { count } = await prisma().gameRound.updateMany({
        where: { id, settledAt: null },
        data: { seed, payout, settledAt: new Date(at) },
      });
      return count > 0;
    },
    staked: async (userId, game, day) => {
      const { _sum } = await prisma().gameRound.aggregate({
        where: { userId, game, day: { gte: day } },
        _sum: { points: true },
      });
      return _sum.points ?? 0n;
    },
    started: async (before, limit) => {
      const rows = await prisma().gameRound.findMany({
        select: { id: true },
        where: { points: { not: null }, settledAt: null, startedAt: { lt: new Date(before) } },
        orderBy: { startedAt: 'asc' },
        take: limit,
      });
      return rows.map(({ id }) => id);
    },
  };
}

function toRound(row: GameRoundModel): Round {
  const { choice, points, day, startedAt, seed, payout, settledAt } = row;
  return {
    id: row.id,
    userId: row.userId,
    game: storedWord(GAMES, row.game, { table: 'game_rounds', row: row.id, field: 'game' }),
    table: row.tableId,
    commitment: row.commitment,
    createdAt: fromTime(row.createdAt),
    bet:
      choice === null || points === null || day === null || startedAt === null
        ? null
        : { choice, points, day, at: fromTime(startedAt) },
    result:
      seed === null || payout === null || settledAt === null
        ? null
        : { seed, payout, at: fromTime(settledAt) },
  };
}
