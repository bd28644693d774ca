import { SLOT_BITS } from '@tradepost/tape';
import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Query } from '../../platform/db/connection.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { Follow } from './rules/follow.ts';
import type { LeaderTrade } from './rules/leader-trade.ts';
import { SIGNAL_LIMITS } from './rules/signal.ts';
import { createFunderRows } from './store/funder-rows.ts';
import { createHistoryRows } from './store/history-rows.ts';
import type { FollowStore } from './store-port.ts';

// SQL: a row that is there already differs from a new one, and a place moves only from where it was read.

const FOLLOW = `id, user_id AS "userId", leader, label, min_lamports::text AS "minLamports", notices, hour_at AS "hourAt",
  hour_told AS "hourTold", hour_held AS "hourHeld", created_at AS "createdAt"`;
/** A leader's trade, as `toTrade` takes it. */
export const TRADE = `leader, signature, mint, side, trade_id::text AS "tradeId", at, units::text AS units, paid_mint AS "paidMint",
  paid_units::text AS "paidUnits", taken_back AS "takenBack"`;

/** The slot of a trade's id, as `slotOfTrade` reads it. */
const SLOT = (row: 'leader_trades' | 'excluded'): string => `${row}.trade_id >> ${SLOT_BITS}`;

type FollowRow = Omit<Follow, 'leader' | 'minLamports' | 'hourAt' | 'createdAt'> & {
  readonly leader: string;
  readonly minLamports: string;
  readonly hourAt: Date | null;
  readonly createdAt: Date;
};

export type TradeRow = Pick<LeaderTrade, 'signature' | 'side' | 'takenBack'> & {
  readonly leader: string;
  readonly mint: string;
  readonly tradeId: string;
  readonly at: Date;
  readonly units: string;
  readonly paidMint: string | null;
  readonly paidUnits: string | null;
};

/** A trade that is known changes where it had been taken back, or where the tape has it in another block. */
const RECORD = `WITH given AS (
  SELECT leader, signature, mint, side, trade_id, at, units, nullif(paid_mint, '') AS paid_mint, nullif(paid_units, 0) AS paid_units
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::numeric[],
    $8::text[], $9::numeric[]) AS t(leader, signature, mint, side, trade_id, at, units, paid_mint, paid_units)
), known AS (
  SELECT leader, signature, mint, side, k.taken_back AS was_back
  FROM leader_trades k JOIN given USING (leader, signature, mint, side)
), written AS (
  INSERT INTO leader_trades (leader, signature, mint, side, trade_id, at, units, paid_mint, paid_units, taken_back)
  SELECT leader, signature, mint, side, trade_id, at, units, paid_mint, paid_units, false FROM given
  ON CONFLICT (leader, signature, mint, side) DO UPDATE SET trade_id = excluded.trade_id, at = excluded.at,
    units = excluded.units, paid_mint = excluded.paid_mint, paid_units = excluded.paid_units, taken_back = false
    WHERE leader_trades.taken_back OR (excluded.trade_id > 0 AND ${SLOT('leader_trades')} <> ${SLOT('excluded')})
  RETURNING *, (xmax = 0) AS is_new
)
SELECT ${TRADE}, is_new AS "isNew", was_back AS "wasBack"
FROM written LEFT JOIN known USING (leader, signature, mint, side)`;

export function createFollowStore({ query }: Pick<Connection, 'query'>): FollowStore {
  return {
    ...ofPeople(query),
    ...ofLeaders(query),
    ...ofHours(query),
    ...ofTrades(query),
    ...ofPlace(query),
    ...createHistoryRows(query),
    ...createFunderRows(query),
  };
}

function ofPeople(query: Query): Pick<FollowStore, 'insert' | 'find' | 'listByUser' | 'change' | 'remove'> {
  return {
    insert: async (follow) => {
      const { id, userId, leader, label, minLamports, notices, hourAt, hourTold, hourHeld, createdAt } =
        follow;
      const rows = await query(
        `INSERT INTO follows (id, user_id, leader, label, min_lamports, notices, hour_at, hour_told, hour_held, created_at)
         VALUES ($1, $2, $3, $4, $5::numeric, $6, $7::timestamptz, $8, $9, $10::timestamptz)
         ON CONFLICT (user_id, leader) DO NOTHING RETURNING 1`,
        [
          id,
          userId,
          leader,
          label,
          minLamports,
          notices,
          toTimeOrNull(hourAt),
          hourTold,
          hourHeld,
          toTime(createdAt),
        ],
      );
      return rows.length === 1;
    },
    find: async (id) => {
      const [row] = await query<FollowRow>(`SELECT ${FOLLOW} FROM follows WHERE id = $1`, [id]);
      return row === undefined ? null : toFollow(row);
    },
    listByUser: async (userId) => {
      const rows = await query<FollowRow>(`SELECT ${FOLLOW} FROM follows WHERE user_id = $1 ORDER BY id`, [
        userId,
      ]);
      return rows.map(toFollow);
    },
    change: async ({ id, label, minLamports, notices }) => {
      await query('UPDATE follows SET label = $2, min_lamports = $3::numeric, notices = $4 WHERE id = $1', [
        id,
        label,
        minLamports,
        notices,
      ]);
    },
    remove: async (id) => {
      await query('DELETE FROM follows WHERE id = $1', [id]);
    },
  };
}

function ofLeaders(query: Query): Pick<FollowStore, 'leaders' | 'ofPeople' | 'followersOf'> {
  return {
    leaders: async () => {
      const rows = await query<{ readonly leader: string }>(
        'SELECT DISTINCT leader FROM follows ORDER BY leader',
        [],
      );
      return rows.map(({ leader }) => storedAddress(leader));
    },
    ofPeople: async (userIds) => {
      const rows = await query<FollowRow>(
        `SELECT ${FOLLOW} FROM follows WHERE user_id = ANY ($1::text[]) ORDER BY id`,
        [userIds],
      );
      return rows.map(toFollow);
    },
    followersOf: async (leaders) => {
      const rows = await query<FollowRow>(
        `SELECT ${FOLLOW} FROM follows WHERE leader = ANY ($1::text[]) ORDER BY id`,
        [leaders],
      );
      return rows.map(toFollow);
    },
  };
}

/** The hours in which messages are counted. */
function ofHours(query: Query): Pick<FollowStore, 'count' | 'dueDigests'> {
  return {
    count: async (follows) => {
      if (follows.length === 0) return;
      await query(
        `UPDATE follows SET hour_at = nullif(c.hour_at, '')::timestamptz, hour_told = c.hour_told, hour_held = c.hour_held
         FROM unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS c(id, hour_at, hour_told, hour_held)
         WHERE follows.id = c.id`,
        [
          follows.map(({ id }) => id),
          follows.map(({ hourAt }) => toTimeOrNull(hourAt) ?? ''),
          follows.map(({ hourTold }) => hourTold.toString()),
          follows.map(({ hourHeld }) => hourHeld.toString()),
        ],
      );
    },
    dueDigests: async (hourAtMost) => {
      const rows = await query<FollowRow>(
        `SELECT ${FOLLOW} FROM follows WHERE hour_held > 0 AND hour_at <= $1::timestamptz ORDER BY id FOR UPDATE SKIP LOCKED`,
        [toTime(hourAtMost)],
      );
      return rows.map(toFollow);
    },
  };
}

function ofTrades(query: Query): Pick<FollowStore, 'record' | 'takeBack' | 'trades' | 'purchases'> {
  return {
    record: async (trades) => {
      if (trades.length === 0) return [];
      const rows = await query<TradeRow & { readonly isNew: boolean; readonly wasBack: boolean | null }>(
        RECORD,
        [
          trades.map(({ leader }) => leader),
          trades.map(({ signature }) => signature),
          trades.map(({ mint }) => mint),
          trades.map(({ side }) => side),
          trades.map(({ tradeId }) => tradeId.toString()),
          trades.map(({ at }) => toTime(at)),
          trades.map(({ units }) => units.toString()),
          trades.map(({ paid }) => paid?.mint ?? ''),
          trades.map(({ paid }) => (paid?.units ?? 0n).toString()),
        ],
      );
      return rows.map(({ isNew, wasBack, ...row }) => ({
        trade: toTrade(row),
        how: isNew ? 'new' : wasBack === true ? 'back' : 'moved',
      }));
    },
    takeBack: async (tradeIds) => {
      if (tradeIds.length === 0) return [];
      const rows = await query<TradeRow>(
        `UPDATE leader_trades SET taken_back = true WHERE trade_id = ANY ($1::bigint[]) AND NOT taken_back RETURNING ${TRADE}`,
        [tradeIds.map(String)],
      );
      return rows.map(toTrade);
    },
    trades: async (leader, since, limit) => {
      const rows = await query<TradeRow>(
        `SELECT ${TRADE} FROM leader_trades WHERE leader = $1 AND at >= $2::timestamptz
         ORDER BY at DESC, trade_id DESC, signature, side, mint LIMIT $3::int`,
        [leader, toTime(since), limit],
      );
      return rows.map(toTrade);
    },
    purchases: async (leaders, mints, { since, until }) => {
      const rows = await query<TradeRow>(
        `SELECT ${TRADE} FROM unnest($1::text[]) AS who(wallet) CROSS JOIN unnest($2::text[]) AS what(token)
         CROSS JOIN LATERAL (SELECT * FROM leader_trades
           WHERE leader = who.wallet AND mint = what.token AND side = 'buy' AND at >= $3::timestamptz
             AND ($4::timestamptz IS NULL OR at <= $4::timestamptz)
           ORDER BY at DESC, trade_id DESC LIMIT $5::int) AS bought
         ORDER BY at, trade_id, signature, mint`,
        [leaders, mints, toTime(since), toTimeOrNull(until), SIGNAL_LIMITS.purchases],
      );
      return rows.map(toTrade);
    },
  };
}

function ofPlace(query: Query): Pick<FollowStore, 'place' | 'startAt' | 'movePlace'> {
  return {
    place: async () => {
      const [row] = await query<{ readonly place: string }>(
        'SELECT place::text AS place FROM follow_places',
        [],
      );
      return row === undefined ? null : BigInt(row.place);
    },
    startAt: async (place) => {
      await query(
        'INSERT INTO follow_places (id, place) VALUES (1, $1::bigint) ON CONFLICT (id) DO NOTHING',
        [place],
      );
    },
    movePlace: async (from, to) => {
      const rows = await query(
        'UPDATE follow_places SET place = $2::bigint WHERE place = $1::bigint RETURNING 1',
        [from, to],
      );
      return rows.length === 1;
    },
  };
}

function toFollow({ leader, minLamports, hourAt, createdAt, ...row }: FollowRow): Follow {
  return {
    ...row,
    leader: storedAddress(leader),
    minLamports: BigInt(minLamports),
    hourAt: fromTimeOrNull(hourAt),
    createdAt: fromTime(createdAt),
  };
}

/** The trade of a row. */
export function toTrade({
  leader,
  mint,
  tradeId,
  at,
  units,
  paidMint,
  paidUnits,
  ...row
}: TradeRow): LeaderTrade {
  return {
    ...row,
    leader: storedAddress(leader),
    mint: storedAddress(mint),
    tradeId: BigInt(tradeId),
    at: fromTime(at),
    units: BigInt(units),
    paid:
      paidMint === null || paidUnits === null
        ? null
        : { mint: storedAddress(paidMint), units: BigInt(paidUnits) },
  };
}
