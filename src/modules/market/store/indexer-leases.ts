import { toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { IndexerLeases } from './indexer-leases-port.ts';

// SQL: a lease decides which process indexes. A lease that ends later than a new one would was taken before the clock was set back.

export function createIndexerLeases({ query }: Pick<Connection, 'query'>): IndexerLeases {
  return {
    beat: async ({ owner, now, until }) => {
      const rows = await query<{ readonly owner: string }>(
        `WITH mine AS (
           INSERT INTO indexers (owner, until) VALUES ($1, $3::timestamptz)
           ON CONFLICT (owner) DO UPDATE SET until = excluded.until
         ), gone AS (
           DELETE FROM indexers WHERE until < $2::timestamptz - interval '1 minute' AND owner <> $1
         )
         SELECT owner FROM indexers WHERE until > $2::timestamptz
           AND until <= $3::timestamptz + interval '1 minute' AND owner <> $1`,
        [owner, toTime(now), toTime(until)],
      );
      return [owner, ...rows.map((row) => row.owner)];
    },
    leave: async (owner) => {
      await query('DELETE FROM indexers WHERE owner = $1', [owner]);
    },
  };
}
