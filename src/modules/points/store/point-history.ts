import { firstUlid } from '../../../core/time/ulid.ts';
import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import { type BigintColumn, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { DAY_MS } from '../rules/utc.ts';
import type { PointStore } from './point-store-port.ts';

// SQL: lines are sums over two tables, along a partial index.

type Line = Awaited<ReturnType<PointStore['history']>>[number];
/** From this day on, by the time of the posting; ids of its transfers do not sort before `id`. */
type Edge = { readonly at: string; readonly id: string };

/** A line takes few entries, but for a day that was mined all along. */
const ENTRIES_PER_LINE = 4;
const MORE = 8;
/**
 * The condition of the partial index `ledger_entries_points_idx`. It is written in full, because the planner does not see that a
 * parameter fits.
 */
const OF_POINTS = `account_key LIKE 'points/%'`;
const EVERYTHING: Edge = { at: '-infinity', id: '' };

/**
 * A page of a person's lines, newest first: a mined day is one line, with its points that are not booked yet. Of the person's entries the
 * newest whole days that fill the page are read, never all of a year for one page.
 */
export async function pointHistory(
  query: Query,
  userId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly Line[]> {
  for (let entries = ENTRIES_PER_LINE * (offset + limit); ; entries *= MORE) {
    const edge = await edgeOf(query, userId, entries);
    const lines = await linesSince(query, userId, edge, offset, limit);
    if (edge === EVERYTHING || lines.length === limit) return lines;
  }
}

/**
 * The start of the UTC day of the entry behind the newest `entries`. The points mined within a day get the id of the first tap and the
 * time of the last; a day more on the side of the ids holds that, and clocks that differ.
 */
async function edgeOf(query: Query, userId: string, entries: number): Promise<Edge> {
  const [row] = await query<{ readonly at: Date }>(
    `SELECT created_at AS at FROM ledger_transfers WHERE id = (
       SELECT transfer_id FROM ledger_entries WHERE account_key = 'points/' || $1 AND ${OF_POINTS}
       ORDER BY transfer_id DESC OFFSET $2::int LIMIT 1)`,
    [userId, entries],
  );
  if (row === undefined) return EVERYTHING;
  const day = Math.floor(fromTime(row.at) / DAY_MS) * DAY_MS;
  return { at: toTime(day), id: firstUlid(day - DAY_MS) };
}

async function linesSince(
  query: Query,
  userId: string,
  edge: Edge,
  offset: number,
  limit: number,
): Promise<readonly Line[]> {
  const rows = await query<{
    readonly reason: LedgerTransfer['reason'];
    readonly ref: string;
    readonly at: Date;
    readonly points: BigintColumn;
  }>(
    `SELECT reason, ref, max(created_at) AS at, sum(amount)::text AS points
     FROM (SELECT transfer.reason, transfer.ref, transfer.created_at, entry.amount, transfer.id
         FROM ledger_entries AS entry JOIN ledger_transfers AS transfer ON transfer.id = entry.transfer_id
         WHERE entry.account_key = 'points/' || $1 AND ${OF_POINTS} AND entry.transfer_id >= $4
       UNION ALL SELECT 'points-mine', ref, last_at, points, transfer_id FROM unbooked_points WHERE user_id = $1) AS line
     GROUP BY reason, ref, CASE reason WHEN 'points-mine' THEN '' ELSE id END
     HAVING max(created_at) >= $5::timestamptz
     ORDER BY at DESC, max(id) DESC OFFSET $2::int LIMIT $3::int`,
    [userId, offset, limit, edge.id, edge.at],
  );
  return rows.map((row) => ({ ...row, at: fromTime(row.at), points: BigInt(row.points) }));
}
