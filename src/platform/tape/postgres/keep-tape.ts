import { firstIdOfSlot } from '@tradepost/tape';
import type { Connection, Query } from '../../db/connection.ts';
import type { TapeUpkeep } from '../../ports/tape-store.ts';
import { KEEP, SLOTS_PER_PARTITION, WEEK_SECONDS } from '../keep.ts';
import { trimLog } from '../tape-log.ts';
import { dropOldFlows } from '../wallet-flows.ts';
import { BAR_COLUMNS, BAR_SUMS, STORED, WINDOW_LOCK } from './append-trades.ts';
import { recomputeFigures } from './move-windows.ts';
import { makePartitions, partitionsFor } from './partitions.ts';

// SQL: drops partitions, and rows by the thousand.

/** Partitions that are made before they are needed. */
const AHEAD = 2;
const TRADES = /^trades_(\d+)$/;
const WEEK_BARS = /^candles_(1|5)_w(\d+)$/;

type Relation = { readonly name: string; readonly bytes: string };

/** See `TapeStore.upkeep`. */
export async function keepTape(
  connection: Pick<Connection, 'query' | 'atomic'>,
  known: Set<string>,
  { now, slot, maxBytes }: TapeUpkeep,
): Promise<readonly string[]> {
  const { query } = connection;
  await makePartitions(connection, known, partitionsFor([{ id: firstIdOfSlot(slot), at: now }], AHEAD));
  const current = Number(slot / SLOTS_PER_PARTITION);
  const past: string[] = [];
  for (const { name } of await relations(query))
    if (await isPast(query, name, { now, current })) past.push(name);
  await drop(connection, known, past);
  await query(
    `DELETE FROM candles c USING market_stats s WHERE c.market_id = s.market_id AND c.res = 15 AND c.t < $1::bigint RETURNING c.t`,
    [now - KEEP.bars[15]],
  );
  await trimLog(query);
  await dropOldFlows(query, now);
  const over = await overSize(query, maxBytes, current);
  await drop(connection, known, over);
  return [...past, ...over];
}

/** Partitions of trades and of the shortest bars, the oldest first. */
async function relations(query: Query): Promise<readonly Relation[]> {
  const rows = await query<Relation>(
    `SELECT relname AS name, pg_total_relation_size(oid)::text AS bytes FROM pg_class
     WHERE relispartition AND relkind = 'r' AND relnamespace = current_schema()::regnamespace
       AND (relname LIKE 'trades\\_%' OR relname LIKE 'candles\\_%')`,
    [],
  );
  return rows.toSorted((one, other) => ageOf(one.name) - ageOf(other.name));
}

function ageOf(name: string): number {
  return Number(TRADES.exec(name)?.[1] ?? WEEK_BARS.exec(name)?.[2] ?? 0);
}

async function isPast(
  query: Query,
  name: string,
  { now, current }: { readonly now: number; readonly current: number },
): Promise<boolean> {
  const [, res, week] = WEEK_BARS.exec(name) ?? [];
  if (res !== undefined) return (Number(week) + 1) * WEEK_SECONDS <= now - KEEP.bars[res === '1' ? 1 : 5];
  const day = TRADES.exec(name)?.[1];
  if (day === undefined || Number(day) >= current) return false;
  const newest = await newestIn(query, name);
  return newest === null || newest < now - KEEP.trades;
}

/** Unix seconds of the last trade of a partition; null when it has none. */
async function newestIn(query: Query, name: string): Promise<number | null> {
  const day = BigInt(TRADES.exec(name)?.[1] ?? 0);
  // By the table, which its readers may read: no role has a right to a partition of it.
  const [row] = await query<{ readonly at: string }>(
    'SELECT at FROM trades WHERE id >= $1::bigint AND id < $2::bigint ORDER BY id DESC LIMIT 1',
    [firstIdOfSlot(day * SLOTS_PER_PARTITION), firstIdOfSlot((day + 1n) * SLOTS_PER_PARTITION)],
  );
  return row === undefined ? null : Number(row.at);
}

/** The oldest partitions whose loss brings the tape under its size; never those of today. */
async function overSize(query: Query, maxBytes: bigint, current: number): Promise<readonly string[]> {
  const all = await relations(query);
  let bytes = all.reduce((sum, relation) => sum + BigInt(relation.bytes), 0n);
  const past = all.filter(({ name }) => Number(TRADES.exec(name)?.[1] ?? current) < current);
  const weeks = all.filter(({ name }) => WEEK_BARS.test(name)).slice(0, -2 * (AHEAD + 1));
  const dropped: string[] = [];
  for (const relation of [...past, ...weeks]) {
    if (bytes <= maxBytes) break;
    bytes -= BigInt(relation.bytes);
    dropped.push(relation.name);
  }
  return dropped;
}

async function drop(
  { atomic }: Pick<Connection, 'atomic'>,
  known: Set<string>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await atomic(async ({ query }) => {
      // Readers go first: a DROP that waits holds up everybody behind it.
      await query(`SET LOCAL lock_timeout = '2s'`, []);
      if (TRADES.test(name)) {
        await query(
          `INSERT INTO tape_meta (name, value) VALUES ('dropped_at', $1::text) ON CONFLICT (name) DO UPDATE
           SET value = greatest(tape_meta.value::bigint, excluded.value::bigint)::text RETURNING name`,
          [((await newestIn(query, name)) ?? 0).toString()],
        );
      }
      await query('SELECT tape_drop_partition($1)::text', [name]);
    });
    known.delete(name);
  }
}

/** Bars and figures of a market anew; bars that began before the oldest kept trade stay. Inside a transaction. */
export async function rebuildBars(query: Query, marketId: number): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(${WINDOW_LOCK})`, []);
  const kept = `coalesce((SELECT value::bigint FROM tape_meta WHERE name = 'dropped_at'), -1)`;
  await query(`DELETE FROM candles WHERE market_id = $1::int AND t > ${kept} RETURNING t`, [marketId]);
  await query(
    `INSERT INTO candles (${BAR_COLUMNS})
     SELECT market_id, res, at - at % (res * 60), ${BAR_SUMS} FROM trades CROSS JOIN ${STORED}
     WHERE market_id = $1::int AND at - at % (res * 60) > ${kept} GROUP BY 1, 2, 3 RETURNING t`,
    [marketId],
  );
  await recomputeFigures(query, [marketId]);
}
