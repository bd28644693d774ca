import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { isKeyOf } from '../../../core/records.ts';
import { encodePlain, fromTimeOrNull, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { JsonColumn } from '../../../platform/db/json/json-column.ts';
import { JOB_DATA } from '../../../platform/db/json/other-json.ts';
import type { OutboxRow, OutboxStore } from './outbox-store-port.ts';

// SQL: the hottest table: jobs go in as arrays and are taken by compare-and-set.

type Row = {
  readonly id: string;
  readonly job: string;
  readonly data: unknown;
  readonly key: string;
  readonly notBefore: Date | null;
};

/** Keeps the lock on a busy table short. */
const DELETE_AT_ONCE = 5_000;

export function createPrismaOutboxStore(connection: Connection): OutboxStore {
  return { add: addRows(connection), ...relayRows(connection) };
}

/** Adds rows; one that waits under the same key keeps the earlier moment. */
function addRows({ query }: Pick<Connection, 'query'>): OutboxStore['add'] {
  return async (rows) => {
    if (rows.length === 0) return;
    const records = earliestByKey(rows).map((row) => ({
      ...row,
      data: columnOf(row).encode(row.id, row.data),
      not_before: toTimeOrNull(row.notBefore),
    }));
    // DO UPDATE and not DO NOTHING: it waits for a relay that is just dispatching the row, and then inserts. DO NOTHING would
    // count on a wake-up that was sent before this transaction's changes could be seen.
    await query(
      `INSERT INTO outbox AS waiting (id, job, data, key, not_before)
       SELECT id, job, data::jsonb, key, not_before
       FROM jsonb_to_recordset($1::jsonb) AS r (id text, job text, data text, key text, not_before timestamptz)
       ORDER BY key
       ON CONFLICT (key) WHERE dispatched_at IS NULL DO UPDATE
       SET not_before = CASE WHEN waiting.not_before IS NULL OR excluded.not_before IS NULL THEN NULL
         ELSE least(waiting.not_before, excluded.not_before) END`,
      [encodePlain(records)],
    );
  };
}

/** Rows on their way to the queue. */
function relayRows({
  query,
}: Pick<Connection, 'query'>): Pick<OutboxStore, 'claim' | 'markDispatched' | 'deleteDispatched'> {
  return {
    claim: async (limit, onUnreadable) => {
      const rows = await query<Row>(
        `SELECT id, job, data, key, not_before AS "notBefore" FROM outbox WHERE dispatched_at IS NULL
         ORDER BY id LIMIT $1::int FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      const readable: OutboxRow[] = [];
      const unreadable: string[] = [];
      for (const row of rows) {
        try {
          readable.push(toRow(row));
        } catch (error) {
          if (!hasCode(error, 'ROW_INVALID')) throw error;
          unreadable.push(row.id);
          onUnreadable?.(error);
        }
      }
      if (unreadable.length > 0) {
        await query('UPDATE outbox SET dispatched_at = now() WHERE id = ANY($1::text[])', [unreadable]);
      }
      return readable;
    },
    markDispatched: async (ids, at) => {
      await query('UPDATE outbox SET dispatched_at = $2::timestamptz WHERE id = ANY($1::text[])', [
        ids,
        toTime(at),
      ]);
    },
    deleteDispatched: async (before) => {
      const [row] = await query<{ readonly count: number }>(
        `WITH gone AS (DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE dispatched_at < $1::timestamptz
           ORDER BY dispatched_at LIMIT ${DELETE_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1)
         SELECT count(*)::int AS count FROM gone`,
        [toTime(before)],
      );
      return row?.count ?? 0;
    },
  };
}

function toRow(row: Row): OutboxRow {
  const data = columnOf(row).decode(row.id, row.data);
  // The column was chosen by the job, so that the two belong together.
  return { ...row, data, notBefore: fromTimeOrNull(row.notBefore) } as OutboxRow;
}

function columnOf({ id, job }: { readonly id: string; readonly job: string }): JsonColumn<unknown> {
  if (isKeyOf(JOB_DATA, job)) return JOB_DATA[job];
  const expected = `one of ${Object.keys(JOB_DATA).join(', ')}`;
  throw new AppError('ROW_INVALID', { table: 'outbox', row: id, field: 'job', expected });
}

/** One statement cannot meet the same key twice. */
function earliestByKey(rows: readonly OutboxRow[]): readonly OutboxRow[] {
  const kept = new Map<string, OutboxRow>();
  for (const row of rows) {
    const other = kept.get(row.key);
    const notBefore =
      other && other.notBefore !== null && row.notBefore !== null
        ? Math.min(other.notBefore, row.notBefore)
        : other
          ? null
          : row.notBefore;
    kept.set(row.key, { ...(other ?? row), notBefore });
  }
  return [...kept.values()];
}
