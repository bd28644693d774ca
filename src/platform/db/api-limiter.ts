import type { ApiLimiter, ApiTake } from '../ports/api-limiter.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

// SQL: one function call of the database per request, which locks, counts and answers.

/** Limits in Postgres: one statement per request, and every process counts in the same row. */
export function createApiLimiter({ query }: Pick<Connection, 'query'>): ApiLimiter {
  return {
    take: async (account, { ratePerSecond, burst, dayQuota }, now) => {
      const [row] = await query<{
        readonly tokens: number;
        readonly used: string;
        readonly refused: ApiTake['refusedBy'];
      }>(
        `SELECT tokens_left AS tokens, used_today::text AS used, refused_by AS refused
         FROM api_take($1, $2::double precision, $3::double precision, $4::bigint, $5::timestamptz)`,
        [account, ratePerSecond, burst, dayQuota, toTime(now)],
      );
      if (row === undefined) throw new Error('api_take gave no row');
      return { refusedBy: row.refused, tokens: row.tokens, usedToday: Number(row.used) };
    },
  };
}
