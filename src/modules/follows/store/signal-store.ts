import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection, Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { Signal } from '../rules/signal.ts';
import type { SignalHit, SignalStore } from './signal-store-port.ts';

// SQL: one row holds the newest window of a person and token, and only a later one takes its place.

const SIGNAL = `user_id AS "userId", wallets, span_ms AS "spanMs", hour_at AS "hourAt", hour_told AS "hourTold", hour_held AS "hourHeld"`;

type SignalRow = Omit<Signal, 'hourAt'> & { readonly hourAt: Date | null };
type HitRow = Pick<SignalHit, 'userId'> & {
  readonly mint: string;
  readonly beganAt: Date;
  readonly until: Date;
};

/** Signals of followed wallets, in Postgres. */
export function createSignalStore({ query }: Pick<Connection, 'query'>): SignalStore {
  return { ...ofPeople(query), ...ofReader(query), ...ofHits(query) };
}

function ofPeople(query: Query): Pick<SignalStore, 'find' | 'save' | 'remove'> {
  return {
    find: async (userId) => {
      const [row] = await query<SignalRow>(`SELECT ${SIGNAL} FROM signals WHERE user_id = $1`, [userId]);
      return row === undefined ? null : toSignal(row);
    },
    save: async ({ userId, wallets, spanMs, hourAt, hourTold, hourHeld }) => {
      await query(
        `INSERT INTO signals (user_id, wallets, span_ms, hour_at, hour_told, hour_held)
         VALUES ($1, $2, $3, $4::timestamptz, $5, $6)
         ON CONFLICT (user_id) DO UPDATE SET wallets = excluded.wallets, span_ms = excluded.span_ms`,
        [userId, wallets, spanMs, toTimeOrNull(hourAt), hourTold, hourHeld],
      );
    },
    remove: async (userId) => {
      await query('DELETE FROM signals WHERE user_id = $1', [userId]);
    },
  };
}

function ofReader(query: Query): Pick<SignalStore, 'ofFollowers' | 'count' | 'dueDigests'> {
  return {
    ofFollowers: async (leaders) => {
      const rows = await query<SignalRow>(
        `SELECT ${SIGNAL} FROM signals
         WHERE user_id IN (SELECT user_id FROM follows WHERE leader = ANY ($1::text[])) ORDER BY user_id FOR UPDATE`,
        [leaders],
      );
      return rows.map(toSignal);
    },
    count: async ({ userId, hourAt, hourTold, hourHeld }) => {
      await query(
        'UPDATE signals SET hour_at = $2::timestamptz, hour_told = $3, hour_held = $4 WHERE user_id = $1',
        [userId, toTimeOrNull(hourAt), hourTold, hourHeld],
      );
    },
    dueDigests: async (hourAtMost) => {
      const rows = await query<SignalRow>(
        `SELECT ${SIGNAL} FROM signals WHERE hour_held > 0 AND hour_at <= $1::timestamptz
         ORDER BY user_id FOR UPDATE SKIP LOCKED`,
        [toTime(hourAtMost)],
      );
      return rows.map(toSignal);
    },
  };
}

function ofHits(query: Query): Pick<SignalStore, 'hits' | 'addHit'> {
  return {
    hits: async (userIds, mints) => {
      const rows = await query<HitRow>(
        `SELECT user_id AS "userId", mint, began_at AS "beganAt", until FROM signal_hits
         WHERE user_id = ANY ($1::text[]) AND mint = ANY ($2::text[]) ORDER BY user_id, mint`,
        [userIds, mints],
      );
      return rows.map(({ userId, mint, beganAt, until }) => ({
        userId,
        mint: storedAddress(mint),
        beganAt: fromTime(beganAt),
        until: fromTime(until),
      }));
    },
    addHit: async ({ userId, mint, beganAt, until }) => {
      const rows = await query(
        `INSERT INTO signal_hits (user_id, mint, began_at, until)
         VALUES ($1, $2, $3::timestamptz, $4::timestamptz)
         ON CONFLICT (user_id, mint) DO UPDATE SET began_at = excluded.began_at, until = excluded.until
           WHERE signal_hits.until < excluded.began_at
         RETURNING 1`,
        [userId, mint, toTime(beganAt), toTime(until)],
      );
      return rows.length === 1;
    },
  };
}

const toSignal = ({ hourAt, ...row }: SignalRow): Signal => ({ ...row, hourAt: fromTimeOrNull(hourAt) });
