import type { Query } from '../../db/connection.ts';
import type { TapeUpkeep } from '../../ports/tape-store.ts';
import { KEEP, SLOTS_PER_PARTITION, WEEK_SECONDS } from '../keep.ts';
import { trimLog } from '../tape-log.ts';
import { dropOldFlows } from '../wallet-flows.ts';
import type { Engine } from './engine.ts';
import { IDS_PER_PARTITION } from './tables.ts';

// SQL: ClickHouse has no models.

type Part = {
  readonly table: 'trades' | 'candles';
  /** The argument of `DROP PARTITION ID`. */
  readonly partitionId: string;
  readonly name: string;
  readonly bytes: bigint;
} & (
  | { readonly kind: 'day'; readonly number: number }
  | { readonly kind: 'week'; readonly res: 1 | 5; readonly number: number }
);

/** See `TapeStore.upkeep`. Parts are made by ClickHouse itself. */
export async function keepRows(
  engine: Engine,
  query: Query,
  { now, slot, maxBytes }: TapeUpkeep,
): Promise<readonly string[]> {
  const current = Number(slot / SLOTS_PER_PARTITION);
  const week = Math.floor(now / WEEK_SECONDS);
  const past: Part[] = [];
  for (const part of await partsOf(engine)) if (await isPast(engine, part, { now, current })) past.push(part);
  for (const part of past) await drop(engine, query, part);
  await dropOldBars(engine, now);
  await trimLog(query);
  await dropOldFlows(query, now);
  const over = await overSize(engine, { maxBytes, current, week });
  for (const part of over) await drop(engine, query, part);
  return [...past, ...over].map(({ name }) => name);
}

/** Days of trades and weeks of the shortest bars, the oldest first. */
async function partsOf(engine: Engine): Promise<readonly Part[]> {
  const rows = await engine.query<{
    readonly table: string;
    readonly partition: string;
    readonly partition_id: string;
    readonly bytes: string;
  }>(
    `SELECT table, partition, partition_id, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN ('trades', 'candles') GROUP BY table, partition, partition_id`,
  );
  return rows
    .flatMap((row): readonly Part[] => {
      const rest = { partitionId: row.partition_id, bytes: BigInt(row.bytes) };
      if (row.table === 'trades')
        return [
          {
            ...rest,
            table: 'trades',
            kind: 'day',
            number: Number(row.partition),
            name: `trades_${row.partition}`,
          },
        ];
      const [, res, number] = /^\((1|5),(\d+)\)$/.exec(row.partition) ?? [];
      if (res === undefined) return [];
      return [
        {
          ...rest,
          table: 'candles',
          kind: 'week',
          res: res === '1' ? 1 : 5,
          number: Number(number),
          name: `candles_${res}_w${number}`,
        },
      ];
    })
    .toSorted((one, other) => one.number - other.number);
}

async function isPast(
  engine: Engine,
  part: Part,
  { now, current }: { readonly now: number; readonly current: number },
): Promise<boolean> {
  if (part.kind === 'week') return (part.number + 1) * WEEK_SECONDS <= now - KEEP.bars[part.res];
  return part.number < current && (await newestIn(engine, part.number)) < now - KEEP.trades;
}

/** Unix seconds of the last trade of a day; 0 when it has none. */
async function newestIn(engine: Engine, day: number): Promise<number> {
  const [row] = await engine.query<{ readonly at: string }>(
    `SELECT max(at) AS at FROM trades WHERE intDiv(id, ${IDS_PER_PARTITION}) = {day: UInt64}`,
    { day },
  );
  return Number(row?.at ?? 0);
}

async function dropOldBars(engine: Engine, now: number): Promise<void> {
  const params = { before: now - KEEP.bars[15] };
  const [old] = await engine.query(
    'SELECT 1 FROM candles WHERE res = 15 AND t < {before: Int64} LIMIT 1',
    params,
  );
  if (old !== undefined)
    await engine.run('ALTER TABLE candles DELETE WHERE res = 15 AND t < {before: Int64}', params);
}

/** The oldest parts whose loss brings the tape under its size; never those of today. */
async function overSize(
  engine: Engine,
  { maxBytes, current, week }: { readonly maxBytes: bigint; readonly current: number; readonly week: number },
): Promise<readonly Part[]> {
  const [all] = await engine.query<{ readonly bytes: string }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
  );
  let bytes = BigInt(all?.bytes ?? 0);
  const parts = await partsOf(engine);
  const dropped: Part[] = [];
  for (const part of [
    ...parts.filter(({ kind, number }) => kind === 'day' && number < current),
    ...parts.filter(({ kind, number }) => kind === 'week' && number < week),
  ]) {
    if (bytes <= maxBytes) break;
    bytes -= part.bytes;
    dropped.push(part);
  }
  return dropped;
}

/** How far trades were dropped is written down first: their bars can no longer be made anew. */
async function drop(engine: Engine, query: Query, part: Part): Promise<void> {
  if (part.kind === 'day') {
    await query(
      `INSERT INTO tape_meta (name, value) VALUES ('dropped_at', $1::text) ON CONFLICT (name) DO UPDATE
       SET value = greatest(tape_meta.value::bigint, excluded.value::bigint)::text RETURNING name`,
      [(await newestIn(engine, part.number)).toString()],
    );
  }
  await engine.run(`ALTER TABLE ${part.table} DROP PARTITION ID '${part.partitionId}'`);
}
