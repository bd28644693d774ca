import type { Connection } from '../../../platform/db/connection.ts';
import type { ApiUsage, ApiUsageStore } from './api-usage-store-port.ts';

// SQL: many counters are added in one statement, in one order, so that two processes never wait for each other.

/** Usage in Postgres, beside the stores of the money path: nothing here is part of a unit of work. */
export function createApiUsageStore({ query }: Pick<Connection, 'query'>): ApiUsageStore {
  return {
    add: async (usage, keepFrom) => {
      if (usage.length === 0) return;
      const text = (field: 'account' | 'keyId' | 'route' | 'day') => usage.map((row) => row[field]);
      // Sums first: one statement may touch a row once. In one order, so that two processes never wait for each other.
      await query(
        `WITH old AS (DELETE FROM api_usage WHERE day < $6::date)
         INSERT INTO api_usage (account, key_id, route, day, status, requests)
         SELECT u.account, u.key_id, u.route, u.day::date, u.status::smallint, sum(u.requests::bigint)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $7::text[])
           AS u(account, key_id, route, day, requests, status)
         WHERE u.day::date >= $6::date
         GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 4, 2, 3, 5
         ON CONFLICT (account, day, key_id, route, status) DO UPDATE SET requests = api_usage.requests + EXCLUDED.requests
         RETURNING account`,
        [
          text('account'),
          text('keyId'),
          text('route'),
          text('day'),
          usage.map(({ requests }) => requests.toString()),
          keepFrom,
          usage.map(({ status }) => status.toString()),
        ],
      );
    },
    list: async (account, fromDay) =>
      (
        await query<Omit<ApiUsage, 'requests'> & { readonly requests: string }>(
          `SELECT account, key_id AS "keyId", route, to_char(day, 'YYYY-MM-DD') AS day, status, requests::text AS requests
           FROM api_usage WHERE account = $1 AND day >= $2::date
           ORDER BY api_usage.day DESC, key_id COLLATE "C", route COLLATE "C", status`,
          [account, fromDay],
        )
      ).map((row) => ({ ...row, requests: Number(row.requests) })),
  };
}
