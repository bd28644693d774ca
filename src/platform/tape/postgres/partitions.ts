import { barStart, firstIdOfSlot, slotOfTrade, type TapeTrade } from '@tradepost/tape';
import type { Connection } from '../../db/connection.ts';
import { SLOTS_PER_PARTITION, WEEK_SECONDS } from '../keep.ts';

// SQL: creates partitions.

const WEEK_MINUTES = WEEK_SECONDS / 60;
/** Bars of these minutes are many: one partition per week each. The others are kept in one. */
const WEEKLY = [1, 5] as const;
const WHOLE = [15, 60, 240, 1_440] as const;

/** By its name, which says its parent; from `from` to below `to` where its parent is cut by ranges. */
type Partition = { readonly name: string; readonly from?: bigint; readonly to?: bigint };

/** Partitions that these trades and their bars need, and those of the time after them where `ahead` says how many. */
export function partitionsFor(
  places: readonly Pick<TapeTrade, 'id' | 'at'>[],
  ahead = 0,
): readonly Partition[] {
  const days = new Set<bigint>();
  const weeks = new Set<number>();
  for (const { id, at } of places) {
    for (let step = 0; step <= ahead; step += 1) {
      days.add(slotOfTrade(id) / SLOTS_PER_PARTITION + BigInt(step));
      weeks.add(barStart(at, WEEK_MINUTES) / WEEK_SECONDS + step);
    }
  }
  return [
    ...[...WHOLE, ...WEEKLY].map((res) => ({ name: `candles_${res}` })),
    ...[...days].map((day) => ({
      name: `trades_${day}`,
      from: firstIdOfSlot(day * SLOTS_PER_PARTITION),
      to: firstIdOfSlot((day + 1n) * SLOTS_PER_PARTITION),
    })),
    ...[...weeks].flatMap((week) =>
      WEEKLY.map((res) => ({
        name: `candles_${res}_w${week}`,
        from: BigInt(week * WEEK_SECONDS),
        to: BigInt((week + 1) * WEEK_SECONDS),
      })),
    ),
  ];
}

/** One maker of partitions at a time, over all processes. */
const LOCK = 7_403_121;

/**
 * Makes the missing ones, by a function of the tables' owner. It makes a table apart and attaches it: `PARTITION OF` would hold up every
 * reader. `known` holds those that this process has seen.
 */
export async function makePartitions(
  { atomic }: Pick<Connection, 'atomic'>,
  known: Set<string>,
  wanted: readonly Partition[],
): Promise<void> {
  const missing = wanted.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  await atomic(async ({ query }) => {
    await query(`SELECT pg_advisory_xact_lock(${LOCK})`, []);
    for (const { name, from = 0n, to = 0n } of missing)
      await query('SELECT tape_make_partition($1, $2::bigint, $3::bigint)::text', [name, from, to]);
  });
  for (const { name } of missing) known.add(name);
}
