import type { IpBlocks } from '../../core/ports/ip-blocks.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';

export function createIpBlocks({ query }: Pick<Connection, 'query'>): IpBlocks {
  return {
    list: async () =>
      (
        await query<{ readonly client: string; readonly since: Date; readonly reason: string }>(
          'SELECT client, since, reason FROM ip_blocks ORDER BY since, client',
          [],
        )
      ).map(({ client, since, reason }) => ({ client, since: fromTime(since), reason })),
    add: async ({ client, since, reason }) => {
      await query(
        `INSERT INTO ip_blocks (client, since, reason) VALUES ($1, $2::timestamptz, $3) ON CONFLICT (client) DO NOTHING
         RETURNING client`,
        [client, toTime(since), reason],
      );
    },
    lift: async (client) =>
      (await query('DELETE FROM ip_blocks WHERE client = $1 RETURNING client', [client])).length > 0,
  };
}
