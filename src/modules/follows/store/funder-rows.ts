import { fromTimeOrNull, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import { FUNDER, type LeaderFunder } from '../rules/leader-funder.ts';
import type { FollowStore } from '../store-port.ts';

// SQL: one statement begins the missing ones, and a search moves only from the try that was read.

type FunderRow = Pick<LeaderFunder, 'ended' | 'tries'> & {
  readonly leader: string;
  readonly funder: string | null;
  readonly retryAt: Date | null;
};

/** The search for the funders of followed wallets, in Postgres. */
export function createFunderRows(
  query: Query,
): Pick<FollowStore, 'beginFunders' | 'openFunder' | 'moveFunder' | 'funders'> {
  return {
    beginFunders: async () => {
      await query(
        `DELETE FROM leader_funders AS search
         WHERE NOT EXISTS (SELECT 1 FROM follows WHERE follows.leader = search.leader)`,
        [],
      );
      await query(
        `INSERT INTO leader_funders (leader, tries)
         SELECT DISTINCT leader, 0 FROM follows ON CONFLICT (leader) DO NOTHING`,
        [],
      );
    },
    openFunder: async (now) => {
      // A moment that lies further ahead than the longest wait is from before the clock was set back.
      const [row] = await query<FunderRow>(
        `SELECT leader, funder, ended, tries, retry_at AS "retryAt" FROM leader_funders
         WHERE ended IS NULL AND (retry_at IS NULL OR retry_at <= $1::timestamptz OR retry_at > $2::timestamptz)
         ORDER BY tries, leader LIMIT 1`,
        [toTime(now), toTime(now + FUNDER.longestRetryMs)],
      );
      return row === undefined ? null : toSearch(row);
    },
    moveFunder: async (before, { leader, funder, ended, tries, retryAt }) =>
      (
        await query(
          `UPDATE leader_funders SET funder = $2, ended = $3, tries = $4, retry_at = $5::timestamptz
           WHERE leader = $1 AND ended IS NULL AND tries = $6 RETURNING 1`,
          [leader, funder, ended, tries, toTimeOrNull(retryAt), before.tries],
        )
      ).length > 0,
    funders: async (leaders) => {
      const rows = await query<{ readonly leader: string; readonly funder: string }>(
        'SELECT leader, funder FROM leader_funders WHERE leader = ANY ($1::text[]) AND funder IS NOT NULL',
        [leaders],
      );
      return new Map(rows.map(({ leader, funder }) => [storedAddress(leader), storedAddress(funder)]));
    },
  };
}

const toSearch = ({ leader, funder, retryAt, ...row }: FunderRow): LeaderFunder => ({
  ...row,
  leader: storedAddress(leader),
  funder: funder === null ? null : storedAddress(funder),
  retryAt: fromTimeOrNull(retryAt),
});
