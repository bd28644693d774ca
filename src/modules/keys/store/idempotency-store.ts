import { toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { IdempotencyStore } from './idempotency-store-port.ts';

/** Expired rows that each start takes along: more than it adds, so the table never outgrows its living rows for long. */
const SWEPT_PER_START = 5;

/** Kept answers, beside the stores of the money path: nothing here is part of a unit of work. */
export function createIdempotencyStore({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): IdempotencyStore {
  const start: IdempotencyStore['start'] = async (request, at) => {
    const { scope, key, requestHash, owner } = request;
    // SQL: sweeps, takes or takes over in one statement, so that of two requests at once one starts.
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
    const row = await prisma().idempotencyKey.findUnique({ where: { scope_key: { scope, key } } });
    // Abandoned between the two statements: a repeat may start.
    if (row === null) return { kind: 'running' };
    if (row.requestHash !== requestHash) return { kind: 'conflict' };
    return row.answer === null ? { kind: 'running' } : { kind: 'answered', answer: row.answer };
  };

  return {
    start,
    finish: async ({ scope, key, owner }, answer, expiresAt) => {
      await prisma().idempotencyKey.updateMany({
        where: { scope, key, owner, answer: null },
        data: { answer, expiresAt: new Date(expiresAt) },
      });
    },
    abandon: async ({ scope, key, owner }) => {
      await prisma().idempotencyKey.deleteMany({ where: { scope, key, owner, answer: null } });
    },
  };
}
