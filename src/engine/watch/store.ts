import { type BigintColumn, fromTime, fromTimeOrNull, toTime } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import { DEATH_PROOF, LANDING_PROOF } from '../../platform/db/json/intent-json.ts';
import type { JsonColumn } from '../../platform/db/json/json-column.ts';
import { DUE } from '../intents/store/intent-store.ts';
import { undeliveredBefore } from '../notices/store.ts';
import type { BeatNews, WatchedAttempt, WatchStore } from './store-port.ts';

// SQL: one round trip per beat: the own sign of life, the other living watchers, the sent attempts, and whether anything else waits.

type AttemptRow = Omit<WatchedAttempt, 'lastValidBlockHeight' | 'signedAt' | 'lastSentAt'> & {
  readonly owner: null;
  readonly lastValidBlockHeight: BigintColumn;
  readonly signedAt: Date;
  readonly lastSentAt: Date | null;
};
type OwnerRow = {
  readonly owner: string;
  readonly isForgotten: boolean | null;
  readonly haveOrders: boolean | null;
  readonly haveSubmissions: boolean | null;
};
type Row = OwnerRow | AttemptRow;

/**
 * $1 = the most attempts, $2 = now, $3 and $4 = the bounds of `forgotten`, $5 = the owner, $6 = its life's end. Statuses are
 * spelled as in the partial indexes, so that Postgres uses them.
 */
const BEAT = `WITH mine AS (
   INSERT INTO watchers (owner, until) VALUES ($5, $6::timestamptz)
   ON CONFLICT (owner) DO UPDATE SET until = excluded.until
 ), gone AS (
   DELETE FROM watchers WHERE until < $2::timestamptz - interval '1 minute' AND owner <> $5
 ), sent AS (
   SELECT attempt.* FROM attempts attempt JOIN intents intent ON intent.id = attempt.intent_id
   WHERE attempt.status IN ('SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN') AND attempt.send_count > 0
     AND intent.status IN ('CREATED', 'ACTIVE')
   ORDER BY attempt.id LIMIT $1::int
 )
 SELECT NULL AS owner, id, intent_id AS "intentId", signature,
   last_valid_block_height AS "lastValidBlockHeight", signed_at AS "signedAt", status,
   last_sent_at AS "lastSentAt", death_proof AS "deathProof", landing_proof AS "landingProof",
   NULL::boolean AS "isForgotten", NULL::boolean AS "haveOrders", NULL::boolean AS "haveSubmissions"
 FROM sent
 UNION ALL
 SELECT owner, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM watchers
 WHERE until > $2::timestamptz AND until <= $6::timestamptz + interval '1 minute' AND owner <> $5
 UNION ALL
 SELECT $5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   EXISTS (${DUE}) OR EXISTS (${undeliveredBefore('$4')})
     OR EXISTS (SELECT 1 FROM outbox WHERE dispatched_at IS NULL),
   EXISTS (SELECT 1 FROM orders WHERE status = 'OPEN')
     OR EXISTS (SELECT 1 FROM orders WHERE status IN ('OPEN', 'PAUSED', 'WAITING')
       AND expires_at <= $2::timestamptz),
   EXISTS (SELECT 1 FROM submissions WHERE status IN ('received', 'sent', 'processed', 'confirmed', 'disputed'))`;

export function createWatchStore({ query }: Pick<Connection, 'query'>): WatchStore {
  return {
    beat: async ({ owner, now, until, watchedSince, noticesBefore, limit }) => {
      const rows = await query<Row>(BEAT, [
        limit,
        toTime(now),
        toTime(watchedSince),
        toTime(noticesBefore),
        owner,
        toTime(until),
      ]);
      const owners: string[] = [];
      let news: BeatNews = { isForgotten: false, haveOrders: false, haveSubmissions: false };
      const attempts: WatchedAttempt[] = [];
      for (const row of rows) {
        if (row.owner === null) {
          attempts.push(toWatched(row));
          continue;
        }
        owners.push(row.owner);
        if (row.owner === owner)
          news = {
            isForgotten: row.isForgotten === true,
            haveOrders: row.haveOrders === true,
            haveSubmissions: row.haveSubmissions === true,
          };
      }
      return { owners, attempts, ...news };
    },
    forgotten: async ({ now, watchedSince, noticesBefore, limit }) => {
      const rows = await query<{ readonly what: 'intent' | 'notice' | 'outbox'; readonly id: string }>(
        `SELECT 'intent' AS what, id FROM (${DUE}) intent
         UNION ALL SELECT 'notice', id FROM (${undeliveredBefore('$4')}) notice
         UNION ALL (SELECT 'outbox', id FROM outbox WHERE dispatched_at IS NULL LIMIT 1)
         ORDER BY what, id`,
        [limit, toTime(now), toTime(watchedSince), toTime(noticesBefore)],
      );
      const of = (kind: string) => rows.filter(({ what }) => what === kind).map(({ id }) => id);
      return { intents: of('intent'), notices: of('notice'), outbox: of('outbox').length > 0 };
    },
    leave: async (owner) => {
      await query('DELETE FROM watchers WHERE owner = $1', [owner]);
    },
  };
}

function toWatched({ id, intentId, signature, status, ...row }: AttemptRow): WatchedAttempt {
  return {
    id,
    intentId,
    signature,
    status,
    lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
    signedAt: fromTime(row.signedAt),
    lastSentAt: fromTimeOrNull(row.lastSentAt),
    deathProof: readable(DEATH_PROOF, id, row.deathProof),
    landingProof: readable(LANDING_PROOF, id, row.landingProof),
  };
}

/** One row that cannot be read must not hide the others: without its looks it is stepped, and the step sets it aside. */
function readable<T>(column: JsonColumn<T>, id: string, stored: unknown): T | null {
  try {
    return stored === null ? null : column.decode(id, stored);
  } catch {
    return null;
  }
}
