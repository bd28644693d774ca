import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Query } from '../../platform/db/connection.ts';
import type { Pause, Switch } from './rules.ts';
import type { Flag, FlagStore } from './store-port.ts';

// SQL: read at every step of the money path, by the server's clock; who changes a flag takes an advisory lock.

/**
 * The key of the one advisory lock for all flags: shared by readers that act on them, exclusive for writers that change them. A lock of the
 * rows would let a stream of readers starve the writer, and a flag that was never set has no row.
 */
const FLAGS_LOCK = 7_046_029;
/** By the server's clock, the same for every process. The transaction's own moment, so that a held flag stays judged alike. */
export const STANDS = 'is_on AND (until_at IS NULL OR until_at > now())';
const SUFFIX = '-paused';

type Row = {
  readonly flag: Flag;
  readonly reason: string;
  readonly updatedAt: Date;
  readonly untilAt: Date | null;
};

export function createPrismaFlagStore({ query, atomic }: Connection): FlagStore {
  return {
    isSet: async (flag) =>
      (await query(`SELECT 1 FROM system_flags WHERE flag = $1 AND ${STANDS}`, [flag])).length > 0,
    hold: async () => {
      // Two statements: a statement's snapshot is fixed before it waits for a lock.
      await query(`SELECT pg_advisory_xact_lock_shared(${FLAGS_LOCK})::text AS held`, []);
      const rows = await query<{ readonly flag: Flag }>(`SELECT flag FROM system_flags WHERE ${STANDS}`, []);
      return new Set(rows.map(({ flag }) => flag));
    },
    pauses: () => standing(query),
    lastThrown: async (flags) => {
      const [row] = await query<{ readonly at: Date | null }>(
        'SELECT max(paused_at) AS at FROM system_flags WHERE flag = ANY ($1::text[])',
        [[...flags]],
      );
      return fromTimeOrNull(row?.at ?? null);
    },
    set: (flag, on, at, note) =>
      atomic(async (inside) => {
        await inside.query(`SELECT pg_advisory_xact_lock(${FLAGS_LOCK})::text AS held`, []);
        const before = (await standing(inside.query)).find(({ what }) => `${what}${SUFFIX}` === flag);
        await inside.query(
          `INSERT INTO system_flags (flag, is_on, updated_at, reason, until_at, paused_at)
           VALUES ($1, $2::boolean, $3::timestamptz, $4, $5::timestamptz, CASE WHEN $2::boolean THEN $3::timestamptz END)
           ON CONFLICT (flag) DO UPDATE SET is_on = excluded.is_on, updated_at = excluded.updated_at,
             reason = excluded.reason, until_at = excluded.until_at,
             paused_at = coalesce(excluded.paused_at, system_flags.paused_at)`,
          [flag, on, toTime(at), note?.reason ?? '', toTimeOrNull(note?.until ?? null)],
        );
        return before ?? null;
      }),
  };
}

async function standing(query: Query): Promise<readonly Pause[]> {
  const rows = await query<Row>(
    `SELECT flag, reason, updated_at AS "updatedAt", until_at AS "untilAt" FROM system_flags
     WHERE ${STANDS} AND flag <> 'quarantined' ORDER BY updated_at, flag`,
    [],
  );
  return rows.map(({ flag, reason, updatedAt, untilAt }) => ({
    what: flag.slice(0, -SUFFIX.length) as Switch,
    reason,
    since: fromTime(updatedAt),
    until: fromTimeOrNull(untilAt),
  }));
}
