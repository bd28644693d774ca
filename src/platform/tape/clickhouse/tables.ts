import { firstIdOfSlot } from '@tradepost/tape';
import { SLOTS_PER_PARTITION, WEEK_SECONDS } from '../keep.ts';
import type { Engine } from './engine.ts';

// SQL: ClickHouse has no models.

/** Ids of one partition of trades: about a day. */
export const IDS_PER_PARTITION = firstIdOfSlot(SLOTS_PER_PARTITION);

/**
 * Rows are replaced, never changed: of rows with one key the highest `version` counts, and one that is `gone` is not there.
 * So writing anything again ends equal, and nothing needs a transaction. Reads say FINAL.
 */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS trades (id UInt64, market_id UInt32, at Int64, is_buy Bool, base UInt64, quote UInt64,
    fee Nullable(UInt64), fee_source LowCardinality(String), price String, price_exponent Int16, price_digits UInt64, dust Bool,
    trader String, signature String, source LowCardinality(String), created_at Int64, version UInt64, gone UInt8,
    INDEX by_time at TYPE minmax GRANULARITY 1)
   ENGINE = ReplacingMergeTree(version, gone) PARTITION BY intDiv(id, ${IDS_PER_PARTITION})
   ORDER BY (market_id, id)`,
  // An empty price and id 0: every trade of the bar was dust.
  `CREATE TABLE IF NOT EXISTS candles (market_id UInt32, res UInt16, t Int64, o String, h String, l String, c String,
    h_exponent Int16, h_digits UInt64, l_exponent Int16, l_digits UInt64, base UInt128, quote UInt128, buy_quote UInt128, n UInt64,
    open_id UInt64, close_id UInt64, open_at Int64, close_at Int64, version UInt64, gone UInt8)
   ENGINE = ReplacingMergeTree(version, gone) PARTITION BY (res, if(res IN (1, 5), intDiv(t, ${WEEK_SECONDS}), 0))
   ORDER BY (market_id, res, t)`,
  `CREATE TABLE IF NOT EXISTS market_stats (market_id UInt32, window_start Int64, base UInt128, quote UInt128, buy_quote UInt128,
    n UInt64, high String, low String, before_price String, before_id UInt64, before_at Int64, first_price String, first_id UInt64,
    first_at Int64, last_price String, last_id UInt64, last_at Int64, version UInt64)
   ENGINE = ReplacingMergeTree(version) ORDER BY market_id`,
  `CREATE TABLE IF NOT EXISTS last_trades (market_id UInt32, id UInt64, at Int64, is_buy Bool, base UInt64, quote UInt64,
    fee Nullable(UInt64), fee_source LowCardinality(String), price String, dust Bool, trader String, signature String,
    source LowCardinality(String), created_at Int64, version UInt64, gone UInt8)
   ENGINE = ReplacingMergeTree(version, gone) ORDER BY market_id`,
  // Days of a trader in a market: they outlive the trades, which are kept for a week.
  `CREATE TABLE IF NOT EXISTS trader_days (trader String, market_id UInt32, day UInt32, n UInt64, version UInt64, gone UInt8)
   ENGINE = ReplacingMergeTree(version, gone) ORDER BY (trader, market_id, day)`,
] as const;

export const TABLE_NAMES = ['trades', 'candles', 'market_stats', 'last_trades', 'trader_days'] as const;

/** Makes the tables that are not there yet. */
export async function makeTables(engine: Engine): Promise<void> {
  for (const table of TABLES) await engine.run(table);
}

/** Deletes every row of the tape. */
export async function emptyTables(engine: Engine): Promise<void> {
  for (const name of TABLE_NAMES) await engine.run(`TRUNCATE TABLE ${name}`);
}

/** The highest version that was ever written: a new one must exceed it. */
export async function highestVersion(engine: Engine): Promise<bigint> {
  const [row] = await engine.query<{ readonly version: string }>(
    `SELECT max(v) AS version FROM (${TABLE_NAMES.map((name) => `SELECT max(version) AS v FROM ${name}`).join(' UNION ALL ')})`,
  );
  return BigInt(row?.version ?? 0);
}
