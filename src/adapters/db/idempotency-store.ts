import type { IdempotencyStore } from '../../core/ports/idempotency-store.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

/** Expired rows that each start takes along: more than it adds, so the table never outgrows its living rows for long. */
const SWEPT_PER_START = 5;

/** Kept answers, beside the stores of the money path: nothing here is part of a unit of work. */
export function createIdempotencyStore({ query }: Pick<Connection, 'query'>): IdempotencyStore {
  const start: IdempotencyStore['start'] = async (request, at) => {
    const { scope, key, requestHash, owner } = request;
    const taken = await query(
      `WITH swept AS (
         DELETE FROM idempotency_keys WHERE (scope, key) IN (
           SELECT scope, key FROM idempotency_keys
           WHERE expires_at <= $5::timestamptz AND (scope, key) <> ($1, $2)
           ORDER BY expires_at LIMIT ${SWEPT_PER_START} FOR UPDATE SKIP LOCKED)
       )
       INSERT INTO idempotency_keys (scope, key, request_hash, owner, answer, expires_at)
       VALUES ($1, $2, $3, $4, NULL, $6::timestamptz)
       ON CONFLICT (scope, key) DO UPDATE
         SET request_hash = EXCLUDED.request_hash, owner = EXCLUDED.owner, answer = NULL, expires_at = EXCLUDED.expires_at
         WHERE idempotency_keys.expires_at <= $5::timestamptz
       RETURNING owner`,
      [scope, key, requestHash, owner, toTime(at.now), toTime(at.leaseUntil)],
    );
    if (taken.length > 0) return { kind: 'started' };
    const [row] = await query<{ readonly hash: string; readonly answer: string | null }>(
      'SELECT request_hash AS hash, answer FROM idempotency_keys WHERE scope = $1 AND key = $2',
      [scope, key],
    );
    // Abandoned between the two statements: whoever asks again may start.
    if (row === undefined) return { kind: 'running' };
    if (row.hash !== requestHash) return { kind: 'conflict' };
    return row.answer === null ? { kind: 'running' } : { kind: 'answered', answer: row.answer };
  };

  return {
    start,
    finish: async ({ scope, key, owner }, answer, expiresAt) => {
      await query(
        `UPDATE idempotency_keys SET answer = $4, expires_at = $5::timestamptz
         WHERE scope = $1 AND key = $2 AND owner = $3 AND answer IS NULL RETURNING key`,
        [scope, key, owner, answer, toTime(expiresAt)],
      );
    },
    abandon: async ({ scope, key, owner }) => {
      await query(
        'DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2 AND owner = $3 AND answer IS NULL RETURNING key',
        [scope, key, owner],
      );
    },
  };
}
