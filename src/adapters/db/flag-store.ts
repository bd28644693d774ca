import type { FlagStore } from '../../core/ports/flag-store.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

export function createPrismaFlagStore({ query }: Connection): FlagStore {
  return {
    isSet: async (flag) =>
      (await query('SELECT 1 FROM system_flags WHERE flag = $1 AND is_on', [flag])).length > 0,
    set: async (flag, on, at) => {
      await query(
        `INSERT INTO system_flags (flag, is_on, updated_at) VALUES ($1, $2::boolean, $3::timestamptz)
         ON CONFLICT (flag) DO UPDATE SET is_on = excluded.is_on, updated_at = excluded.updated_at`,
        [flag, on, toTime(at)],
      );
    },
  };
}
