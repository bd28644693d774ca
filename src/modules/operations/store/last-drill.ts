import type { Query } from '../../../platform/db/connection.ts';
import { type LastDrill, WITHOUT_KEYBOOK } from '../rules/check-up.ts';

// SQL: one act of the audit log, by a field of its details.

/** The newest drill, the newest good one and the newest good one with the keybook, by the audit log; epoch milliseconds, null where there is none. */
export async function readLastDrill(query: Query): Promise<LastDrill> {
  const [row] = await query<{
    readonly any: Date | null;
    readonly good: Date | null;
    readonly whole: Date | null;
  }>(
    `SELECT max(at) AS any, max(at) FILTER (WHERE outcome = 'done') AS good,
       max(at) FILTER (WHERE outcome = 'done' AND NOT details -> 'words' ? $1) AS whole
     FROM audit_log
     WHERE act = 'operator-command' AND details ->> 'command' = 'drill'`,
    [WITHOUT_KEYBOOK],
  );
  return {
    at: row?.any?.getTime() ?? null,
    goodAt: row?.good?.getTime() ?? null,
    wholeAt: row?.whole?.getTime() ?? null,
  };
}
