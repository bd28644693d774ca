import { utcDate } from '../../../core/time/utc-date.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { daysOfBits, type HealthDay } from '../rules/health-day.ts';
import type { HealthStore } from './health-store-port.ts';

// SQL: bits of several processes are joined in one statement, and counted by the server.

/** Rows in one order, so that two processes never wait for each other. */
const WRITE = `INSERT INTO health_days AS kept (part, day, measured, down)
 SELECT part, day::date, measured::bit(1440), down::bit(1440)
 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS given (part, day, measured, down) ORDER BY day, part
 ON CONFLICT (day, part) DO UPDATE SET
   measured = kept.measured | excluded.measured,
   down = kept.down | (excluded.down & (~ kept.measured))
 WHERE (kept.measured | excluded.measured) <> kept.measured`;

const DAYS = `SELECT part, to_char(day, 'YYYY-MM-DD') AS day,
   bit_count(measured)::int AS measured, bit_count(down)::int AS down
 FROM health_days WHERE day >= $1::date ORDER BY day, part`;

export function createHealthStore(query: Query): HealthStore {
  return {
    write: async (marks) => {
      const days = daysOfBits(marks);
      const column = (of: (day: (typeof days)[number]) => string): readonly string[] => days.map(of);
      await query(WRITE, [
        column(({ part }) => part),
        column(({ day }) => day),
        column(({ measured }) => measured),
        column(({ down }) => down),
      ]);
    },
    days: (since) => query<HealthDay>(DAYS, [utcDate(since)]),
  };
}
