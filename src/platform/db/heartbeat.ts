import type { Heartbeat } from '../ports/heartbeat.ts';
import type { Query } from './connection.ts';

// SQL: one statement that writes, forgets those of last week, and asks for the clock. By the database's clock alone: ours is in question.

const BEAT = `WITH gone AS (
   DELETE FROM processes WHERE beat_at < clock_timestamp() - interval '7 days'
 )
 INSERT INTO processes (id, roles, version, host, started_at, beat_at) VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp())
 ON CONFLICT (id) DO UPDATE SET beat_at = clock_timestamp()
 RETURNING clock_timestamp() AS now`;

export function createHeartbeat(
  query: Query,
  process: { readonly id: string; readonly roles: string; readonly version: string; readonly host: string },
): Heartbeat {
  const { id, roles, version, host } = process;
  return {
    beat: async () => {
      const [row] = await query<{ readonly now: Date }>(BEAT, [id, roles, version, host]);
      if (row === undefined) throw new Error('the beat returned no row');
      return row.now.getTime();
    },
    leave: async () => {
      await query('DELETE FROM processes WHERE id = $1', [id]);
    },
  };
}
