import { utcDate } from '../../../core/time/utc-date.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { daysOfBits, type HealthDay, type MeasuredDay, missedMinutes } from '../rules/health-day.ts';
import type { HealthStore, RoleLook } from './health-store-port.ts';

// SQL: bits of several processes are joined in one statement, and counted by the server.

/** A role that did not run for so long is none of this service any more. */
const KNOWN_MS = 7 * 86_400_000;

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

/** A process beats every five seconds, and takes its row away when it ends. A role without a row is known by a minute in which it ran. */
const ROLES = `WITH beats AS (
   SELECT role, bool_or(beat_at > clock_timestamp() - interval '30 seconds') AS is_up
   FROM processes, unnest(string_to_array(roles, ',')) AS role GROUP BY role
 )
 SELECT named.role, coalesce(beats.is_up, false) AS "isUp"
 FROM unnest($1::text[]) AS named (role) LEFT JOIN beats ON beats.role = named.role
 WHERE beats.role IS NOT NULL OR EXISTS (
   SELECT 1 FROM health_days WHERE part = named.role AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - 7
     AND bit_count(measured & (~ down)) > 0)
 ORDER BY named.role`;

/** Bits of the days in question, in order. */
const BITS = `SELECT to_char(day, 'YYYY-MM-DD') AS day, measured::text AS measured
 FROM health_days WHERE part = $1 AND day BETWEEN $2::date AND $3::date ORDER BY day`;

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
    roles: (names) => query<RoleLook>(ROLES, [names]),
    missed: async (part, until) =>
      missedMinutes(await query<MeasuredDay>(BITS, [part, utcDate(until - KNOWN_MS), utcDate(until)]), until),
    days: (since) => query<HealthDay>(DAYS, [utcDate(since)]),
  };
}
