import type { Query } from '../../../platform/db/connection.ts';
import type { Replica, Replication } from '../rules/replication.ts';

// SQL: the server's own figures; there is no table behind them.

/** How the server behind this connection is followed. */
export async function readReplication(query: Query): Promise<Replication> {
  const rows = await query<Replica & { readonly synchronousCommit: string }>(
    `SELECT application_name AS name, state, sync_state AS sync, current_setting('synchronous_commit') AS "synchronousCommit"
     FROM (SELECT 1) AS one LEFT JOIN pg_stat_replication ON true`,
    [],
  );
  return {
    replicas: rows.flatMap(({ name, state, sync }) => (name === null ? [] : [{ name, state, sync }])),
    synchronousCommit: rows[0]?.synchronousCommit ?? 'off',
  };
}
