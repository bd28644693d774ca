import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import type { Query } from '../../db/connection.ts';
import type { SealBatch, SealRange } from '../../ports/tape-store.ts';
import { assertWithinRanges, lockedRanges, moveSealed } from '../cursors.ts';
import type { MarketTerms } from '../market-terms.ts';
import { addToFlows, noteFlowsBegin } from '../wallet-flows.ts';
import { appendTrades, BAR_COLUMNS, BAR_SUMS, STORED } from './append-trades.ts';
import { recomputeFigures } from './move-windows.ts';
import { GIVEN, TRADE_COLUMNS, type TradeRow, tradeColumns } from './rows.ts';

// SQL: a slot is sealed with locks, in one transaction.

/** A trade with the same number and another content is another fork's. */
const RETRACT = `WITH given AS (SELECT * FROM ${GIVEN} AS given)
DELETE FROM trades t USING unnest($14::int[], $15::bigint[], $16::bigint[]) AS r(market_id, low, high)
WHERE t.market_id = r.market_id AND t.id >= r.low AND t.id < r.high AND NOT EXISTS (
  SELECT FROM given g WHERE g.id = t.id AND g.market_id = t.market_id AND g.signature = t.signature AND g.base = t.base
    AND g.quote = t.quote AND g.is_buy = t.is_buy AND g.at = t.at AND g.trader = t.trader)
RETURNING ${TRADE_COLUMNS.split(', ')
  .map((column) => `t.${column}`)
  .join(', ')}`;

/** Bars of the buckets that lost a trade, from the trades that are left. */
const REMAKE_BARS = `WITH touched AS (
  SELECT DISTINCT g.market_id, r.res, g.at - g.at % (r.res * 60) AS t
  FROM unnest($1::int[], $2::bigint[]) AS g(market_id, at) CROSS JOIN ${STORED}
), dropped AS (
  DELETE FROM candles c USING touched WHERE (c.market_id, c.res, c.t) = (touched.market_id, touched.res, touched.t)
), fresh AS (
  SELECT touched.res, touched.t AS bar, t.* FROM touched JOIN trades t ON t.market_id = touched.market_id
    AND t.at >= touched.t AND t.at < touched.t + touched.res * 60
)
SELECT market_id, res, bar AS t, ${BAR_SUMS} FROM fresh GROUP BY market_id, res, bar`;

export type SealOutcome = {
  readonly added: readonly RecordedTrade[];
  readonly retracted: readonly TradeRow[];
  readonly moved: readonly SealRange[];
};

/** To be asked inside a transaction that holds `WINDOW_LOCK` shared. See `TapeStore.seal`. */
export async function sealTrades(
  query: Query,
  batch: SealBatch,
  termsOf: (marketId: number) => MarketTerms,
): Promise<SealOutcome> {
  assertWithinRanges(batch);
  const moved = await lockedRanges(query, batch.ranges);
  const ids = new Set(moved.map(({ marketId }) => marketId));
  const trades = batch.trades.filter(({ marketId }) => ids.has(marketId));
  const retracted = await query<TradeRow>(RETRACT, [
    ...tradeColumns(trades, termsOf),
    moved.map(({ marketId }) => marketId.toString()),
    moved.map(({ after }) => firstIdOfSlot(after + 1n).toString()),
    moved.map(({ upTo }) => firstIdOfSlot(upTo + 1n).toString()),
  ]);
  await undo(query, retracted);
  const added = await appendTrades(query, trades, termsOf);
  await recomputeFigures(query, [...new Set(retracted.map(({ market_id }) => market_id))]);
  await addToFlows(query, trades, termsOf);
  await noteFlowsBegin(query, batch);
  await moveSealed(query, moved);
  return { added, retracted, moved };
}

/** Takes back the parts that deleted trades had added. The 24 h figures follow when the missing ones were written. */
async function undo(query: Query, retracted: readonly TradeRow[]): Promise<void> {
  if (retracted.length === 0) return;
  const ids = retracted.map(({ market_id }) => market_id.toString());
  // The rows to write come out of a read: a statement that deletes and inserts one key in one go sees the old one.
  const bars = await query<Record<string, string | number | null>>(REMAKE_BARS, [
    ids,
    retracted.map(({ at }) => at),
  ]);
  const columns = BAR_COLUMNS.split(', ');
  await query(
    `INSERT INTO candles (${BAR_COLUMNS}) SELECT ${columns.map((name) => `(bar ->> '${name}')::${CASTS[name] ?? 'numeric'}`).join(', ')}
     FROM unnest($1::jsonb[]) AS bar RETURNING market_id`,
    [bars.map((bar) => JSON.stringify(bar))],
  );
  const people = [retracted.map(({ trader }) => Buffer.from(trader).toString('hex')), ids];
  await query(
    `UPDATE trader_markets AS known SET n = known.n - gone.n FROM ${GONE_PEOPLE} AS gone
     WHERE (known.trader, known.market_id) = (gone.trader, gone.market_id) RETURNING known.n`,
    people,
  );
  await query(
    `DELETE FROM trader_markets AS known USING ${GONE_PEOPLE} AS gone
     WHERE (known.trader, known.market_id) = (gone.trader, gone.market_id) AND known.n <= 0 RETURNING known.n`,
    people,
  );
  await query(`DELETE FROM last_trades WHERE id = ANY ($1::bigint[]) RETURNING id`, [
    retracted.map(({ id }) => id),
  ]);
  await query(
    `INSERT INTO last_trades (${TRADE_COLUMNS})
     SELECT newest.* FROM unnest($1::int[]) AS m(id) CROSS JOIN LATERAL (
       SELECT ${TRADE_COLUMNS} FROM trades WHERE market_id = m.id ORDER BY id DESC LIMIT 1) AS newest
     ON CONFLICT (market_id) DO NOTHING RETURNING id`,
    [[...new Set(ids)]],
  );
}

const GONE_PEOPLE = `(SELECT decode(trader, 'hex') AS trader, market_id, count(*) AS n
  FROM unnest($1::text[], $2::int[]) AS g(trader, market_id) GROUP BY 1, 2)`;

const CASTS: Readonly<Record<string, string>> = {
  market_id: 'int',
  res: 'smallint',
  t: 'bigint',
  n: 'int',
  open_id: 'bigint',
  close_id: 'bigint',
};
