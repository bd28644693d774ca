import type { Flag, FlagStore } from '../../core/ports/flag-store.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

/**
 * The key of the advisory lock that stands for all flags: shared by who acts on them, exclusive for who changes them. A lock
 * of the rows would let a stream of readers starve the writer, and a flag that was never set has no row.
 */
const FLAGS_LOCK = 7_046_029;

export function createPrismaFlagStore({ query }: Connection): FlagStore {
  return {
    isSet: async (flag) =>
      (await query('SELECT 1 FROM system_flags WHERE flag = $1 AND is_on', [flag])).length > 0,
    hold: async () => {
      // Two statements: what a statement sees is fixed before it waits for a lock.
      await query(`SELECT pg_advisory_xact_lock_shared(${FLAGS_LOCK})::text AS held`, []);
      const rows = await query<{ readonly flag: Flag }>('SELECT flag FROM system_flags WHERE is_on', []);
      return new Set(rows.map(({ flag }) => flag));
    },
    set: async (flag, on, at) => {
      await query(
        `INSERT INTO system_flags (flag, is_on, updated_at)
         SELECT $1, $2::boolean, $3::timestamptz FROM (SELECT pg_advisory_xact_lock(${FLAGS_LOCK})) AS held
         ON CONFLICT (flag) DO UPDATE SET is_on = excluded.is_on, updated_at = excluded.updated_at`,
        [flag, on, toTime(at)],
      );
    },
  };
}
