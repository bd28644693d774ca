import { firstUlid } from '../../../core/time/ulid.ts';
import { toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { DAY_MS } from '../../points/rules/utc.ts';
import { HISTORY_DAYS, IDLE_DAYS, KEPT_DAYS, MOVE_DAYS, NOTICE_DAYS } from '../rules/retention.ts';
import type { RetentionStore } from './retention-store-port.ts';

// SQL: each statement deletes so many old rows and skips those that are locked.

/** Rows of one statement: some ten milliseconds of locks. */
const BATCH = 2_000;
/** Batches of one table in one round, so that a round ends within seconds and a process that must stop can. */
const BATCHES = 5;

/** Intents that may still need their rows: open ones, and those that a person must look at. */
const NEEDED = `('CREATED', 'ACTIVE', 'NEEDS_REVIEW')`;

type Rule = {
  readonly table: string;
  readonly days: number;
  /**
   * $1 = the moment before which rows are due. With `byId`, $2 = the first id of that moment: ids grow with time, so that
   * the primary key finds the old rows. Returns one row for each that it touched.
   */
  readonly sql: string;
  readonly byId?: true;
};

const used = (table: 'withdrawal_uses'): Rule => ({
  table,
  days: KEPT_DAYS,
  byId: true,
  sql: `DELETE FROM ${table} WHERE intent_id IN (SELECT intent_id FROM ${table}
    WHERE intent_id < $2 AND counts_at < $1::timestamptz ORDER BY intent_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
});

const RULES: readonly Rule[] = [
  {
    table: 'notices',
    days: NOTICE_DAYS,
    sql: `DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE delivered_at < $1::timestamptz
      ORDER BY delivered_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'deposits',
    days: KEPT_DAYS,
    sql: `DELETE FROM deposits WHERE (wallet_id, asset, signature) IN (SELECT wallet_id, asset, signature FROM deposits
      WHERE at < $1::timestamptz ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'progress_messages',
    days: KEPT_DAYS,
    byId: true,
    sql: `DELETE FROM progress_messages WHERE intent_id IN (SELECT message.intent_id FROM progress_messages AS message
        JOIN intents AS intent ON intent.id = message.intent_id
      WHERE message.intent_id < $2 AND intent.status NOT IN ${NEEDED} AND intent.updated_at < $1::timestamptz
      ORDER BY message.intent_id LIMIT ${BATCH} FOR UPDATE OF message SKIP LOCKED) RETURNING 1`,
  },
  used('withdrawal_uses'),
  {
    // Spending without a PIN counts until the PIN is right, however long that takes.
    table: 'spending_uses',
    days: KEPT_DAYS,
    byId: true,
    sql: `DELETE FROM spending_uses WHERE intent_id IN (SELECT use.intent_id FROM spending_uses AS use
        LEFT JOIN guards AS guard ON guard.user_id = use.user_id
      WHERE use.intent_id < $2 AND use.counts_at < $1::timestamptz
        AND (guard.pin_hash IS NULL OR use.counts_at < coalesce(guard.pin_right_at, guard.pin_set_at))
      ORDER BY use.intent_id LIMIT ${BATCH} FOR UPDATE OF use SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'act_uses',
    days: KEPT_DAYS,
    byId: true,
    sql: `DELETE FROM act_uses WHERE id IN (SELECT id FROM act_uses
      WHERE id < $2 AND at < $1::timestamptz ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'idempotency_keys',
    days: 0,
    sql: `DELETE FROM idempotency_keys WHERE (scope, key) IN (SELECT scope, key FROM idempotency_keys
      WHERE expires_at <= $1::timestamptz ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'submissions',
    days: KEPT_DAYS,
    sql: `DELETE FROM submissions WHERE signature IN (SELECT signature FROM submissions
      WHERE changed_at < $1::timestamptz AND status IN ('finalized', 'failed', 'expired', 'disputed')
      ORDER BY changed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'webhook_deliveries',
    days: KEPT_DAYS,
    sql: `DELETE FROM webhook_deliveries WHERE (webhook_id, event_id) IN (SELECT webhook_id, event_id FROM webhook_deliveries
      WHERE created_at < $1::timestamptz AND status <> 'waiting'
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'leader_trades',
    days: KEPT_DAYS,
    sql: `DELETE FROM leader_trades WHERE (leader, signature, mint, side) IN (SELECT leader, signature, mint, side FROM leader_trades
      WHERE at < $1::timestamptz ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // A told window lasts a day at most.
    table: 'signal_hits',
    days: KEPT_DAYS,
    sql: `DELETE FROM signal_hits WHERE (user_id, mint) IN (SELECT user_id, mint FROM signal_hits
      WHERE until < $1::timestamptz ORDER BY until LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // Open orders count them.
    table: 'creator_moves',
    days: MOVE_DAYS,
    sql: `DELETE FROM creator_moves WHERE (mint, creator, signature, recipient) IN (
      SELECT mint, creator, signature, recipient FROM creator_moves
      WHERE seen_at < $1::timestamptz ORDER BY seen_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'launches_seen',
    days: KEPT_DAYS,
    sql: `DELETE FROM launches_seen WHERE mint IN (SELECT mint FROM launches_seen
      WHERE moved_at < $1::timestamptz ORDER BY moved_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'launch_notices',
    days: KEPT_DAYS,
    sql: `DELETE FROM launch_notices WHERE (user_id, mint, stage) IN (SELECT user_id, mint, stage FROM launch_notices
      WHERE at < $1::timestamptz ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'group_calls',
    days: KEPT_DAYS,
    sql: `DELETE FROM group_calls WHERE (group_id, mint) IN (SELECT group_id, mint FROM group_calls
      WHERE called_at < $1::timestamptz ORDER BY called_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // `/status` counts a month.
    table: 'trade_verdicts',
    days: KEPT_DAYS,
    sql: `DELETE FROM trade_verdicts WHERE intent_id IN (SELECT intent_id FROM trade_verdicts
      WHERE judged_at < $1::timestamptz ORDER BY judged_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // A request past its end is refused for that.
    table: 'personal_key_nonces',
    days: 0,
    sql: `DELETE FROM personal_key_nonces WHERE (key_id, nonce) IN (SELECT key_id, nonce FROM personal_key_nonces
      WHERE until <= $1::timestamptz ORDER BY until LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // The caps of a key look back one day, its nonces one minute.
    table: 'personal_key_uses',
    days: KEPT_DAYS,
    sql: `DELETE FROM personal_key_uses WHERE (key_id, nonce) IN (SELECT key_id, nonce FROM personal_key_uses
      WHERE at < $1::timestamptz ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    table: 'health_days',
    days: HISTORY_DAYS,
    sql: `DELETE FROM health_days WHERE (day, part) IN (SELECT day, part FROM health_days
      WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date ORDER BY day, part LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  },
  {
    // What a copy traded counts for its sums until it is over.
    table: 'copy_trades',
    days: KEPT_DAYS,
    sql: `DELETE FROM copy_trades WHERE (copy_id, signature, leg) IN (SELECT trade.copy_id, trade.signature, trade.leg
      FROM copy_trades AS trade JOIN copies AS copy ON copy.id = trade.copy_id
      WHERE trade.seen_at < $1::timestamptz AND (trade.status = 'SKIPPED' OR copy.status = 'ENDED')
      ORDER BY trade.seen_at LIMIT ${BATCH} FOR UPDATE OF trade SKIP LOCKED) RETURNING 1`,
  },
  {
    // The chain has what landed; what did not land is dead, and nobody sends it again. Who said so first is no longer in
    // question. The signature is all that is asked for.
    table: 'attempts',
    days: KEPT_DAYS,
    sql: `UPDATE attempts SET signed_transaction = ''::bytea, landing_proof = NULL WHERE id IN (SELECT attempt.id FROM attempts AS attempt
        JOIN intents AS intent ON intent.id = attempt.intent_id
      WHERE attempt.status IN ('FINALIZED', 'LANDED_ERR', 'DEAD') AND attempt.signed_transaction <> ''::bytea
        AND attempt.signed_at < $1::timestamptz
        AND intent.status NOT IN ${NEEDED} AND intent.updated_at < $1::timestamptz
      ORDER BY attempt.signed_at LIMIT ${BATCH} FOR UPDATE OF attempt SKIP LOCKED) RETURNING 1`,
  },
  {
    // In the order in which a post to several people locks them.
    table: 'unbooked_points',
    days: IDLE_DAYS,
    sql: `SELECT points_book(user_id) FROM (SELECT user_id FROM unbooked_points
      WHERE last_at < $1::timestamptz ORDER BY user_id LIMIT ${BATCH}) AS idle`,
  },
];

/** Over Postgres. Rows that another transaction holds at the moment are left to the next round. */
export function createRetentionStore(query: Query): RetentionStore {
  return {
    clean: async (now) => {
      const touched = new Map<string, number>();
      for (const { table, days, sql, byId } of RULES) {
        const before = now - days * DAY_MS;
        const values = byId ? [toTime(before), firstUlid(before)] : [toTime(before)];
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const { length } = await query(sql, values);
          if (length > 0) touched.set(table, (touched.get(table) ?? 0) + length);
          if (length < BATCH) break;
        }
      }
      return touched;
    },
  };
}
