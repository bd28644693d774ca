import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { LeaderHistory } from '../rules/leader-history.ts';
import type { FollowStore } from '../store-port.ts';

// SQL: one statement begins the missing ones, and a row moves only from where it was read.

const HISTORY = `leader, until, before_signature AS "beforeSignature", reached, signatures, reads, ended`;

type HistoryRow = Omit<LeaderHistory, 'leader' | 'until' | 'reached'> & {
  readonly leader: string;
  readonly until: Date;
  readonly reached: Date;
};

/** How far the past of followed wallets was read, in Postgres. */
export function createHistoryRows(
  query: Query,
): Pick<FollowStore, 'history' | 'beginHistories' | 'openHistory' | 'moveHistory'> {
  const one = async (sql: string, values: readonly string[]): Promise<LeaderHistory | null> => {
    const [row] = await query<HistoryRow>(sql, [...values]);
    if (row === undefined) return null;
    const { leader, until, reached } = row;
    return { ...row, leader: storedAddress(leader), until: fromTime(until), reached: fromTime(reached) };
  };
  return {
    history: (leader) => one(`SELECT ${HISTORY} FROM leader_histories WHERE leader = $1`, [leader]),
    beginHistories: async (at) => {
      await query(
        `DELETE FROM leader_histories AS history
         WHERE NOT EXISTS (SELECT 1 FROM follows WHERE follows.leader = history.leader)`,
        [],
      );
      await query(
        `INSERT INTO leader_histories (leader, until, reached, signatures, reads)
         SELECT DISTINCT leader, $1::timestamptz, $1::timestamptz, 0, 0 FROM follows ON CONFLICT (leader) DO NOTHING`,
        [toTime(at)],
      );
    },
    openHistory: () =>
      one(`SELECT ${HISTORY} FROM leader_histories WHERE ended IS NULL ORDER BY reads, leader LIMIT 1`, []),
    moveHistory: async (before, after) =>
      (
        await query(
          `UPDATE leader_histories SET before_signature = $2, reached = $3::timestamptz, signatures = $4, reads = $5, ended = $6
           WHERE leader = $1 AND ended IS NULL AND before_signature IS NOT DISTINCT FROM $7 AND reads = $8 RETURNING 1`,
          [
            after.leader,
            after.beforeSignature,
            toTime(after.reached),
            after.signatures,
            after.reads,
            after.ended,
            before.beforeSignature,
            before.reads,
          ],
        )
      ).length > 0,
  };
}
