import { exactPrice, isDust, type RecordedTrade, type TapeTrade } from '@tradepost/tape';
import type { Query } from '../../db/connection.ts';
import type { MarketDecimals } from '../market-terms.ts';
import { GIVEN, TRADE_COLUMNS, type TradeRow, tradeColumns } from './rows.ts';

// SQL: the tape's tables are partitioned; trades go in as arrays, by the thousand.

/** The window of 24 h figures must not move under a statement that adds to them: see `move-windows.ts`. */
export const WINDOW_LOCK = 7_403_122;

/** Price of the first and of the last trade of a group, of those that are not dust. */
const OPEN = '(array_agg(price ORDER BY id) FILTER (WHERE NOT dust))[1]';
const CLOSE = '(array_agg(price ORDER BY id DESC) FILTER (WHERE NOT dust))[1]';

/** Columns of bars out of trades named `fresh`. */
export const BAR_SUMS = `${OPEN} AS o, max(price) FILTER (WHERE NOT dust) AS h, min(price) FILTER (WHERE NOT dust) AS l,
  ${CLOSE} AS c, sum(base) AS base, sum(quote) AS quote, coalesce(sum(quote) FILTER (WHERE is_buy), 0) AS buy_quote,
  count(*)::int AS n, min(id) FILTER (WHERE NOT dust) AS open_id, max(id) FILTER (WHERE NOT dust) AS close_id`;
export const BAR_COLUMNS = 'market_id, res, t, o, h, l, c, base, quote, buy_quote, n, open_id, close_id';
export const STORED = '(VALUES (1), (5), (15), (60), (240), (1440)) AS r(res)';

/** Everything is added to from the rows that were really written: a trade that is known adds nothing. */
const APPEND = `WITH fresh AS (
  INSERT INTO trades (${TRADE_COLUMNS})
  SELECT id, market_id, at, is_buy, base, quote, fee, fee_source, price, dust, trader, signature, source, now()
  FROM ${GIVEN} AS given ORDER BY id
  ON CONFLICT (id) DO NOTHING RETURNING ${TRADE_COLUMNS}
), bars AS (
  INSERT INTO candles AS known (${BAR_COLUMNS})
  SELECT market_id, res, at - at % (res * 60) AS t, ${BAR_SUMS}
  FROM fresh CROSS JOIN ${STORED} GROUP BY market_id, res, at - at % (res * 60) ORDER BY 1, 2, 3
  ON CONFLICT (market_id, res, t) DO UPDATE SET
    o = CASE WHEN known.open_id IS NULL OR excluded.open_id < known.open_id THEN excluded.o ELSE known.o END,
    c = CASE WHEN known.close_id IS NULL OR excluded.close_id > known.close_id THEN excluded.c ELSE known.c END,
    open_id = least(known.open_id, excluded.open_id), close_id = greatest(known.close_id, excluded.close_id),
    h = greatest(known.h, excluded.h), l = least(known.l, excluded.l), base = known.base + excluded.base,
    quote = known.quote + excluded.quote, buy_quote = known.buy_quote + excluded.buy_quote, n = known.n + excluded.n
), figures AS (
  INSERT INTO market_stats AS known (market_id, base, quote, buy_quote, n, high, low,
    before_id, before_at, before_price, first_id, first_at, first_price, last_id, last_at, last_price)
  SELECT market_id,
    coalesce(sum(base) FILTER (WHERE at >= w.starts), 0), coalesce(sum(quote) FILTER (WHERE at >= w.starts), 0),
    coalesce(sum(quote) FILTER (WHERE at >= w.starts AND is_buy), 0), count(*) FILTER (WHERE at >= w.starts),
    max(price) FILTER (WHERE at >= w.starts AND NOT dust), min(price) FILTER (WHERE at >= w.starts AND NOT dust),
    max(id) FILTER (WHERE at < w.starts AND NOT dust),
    (array_agg(at ORDER BY id DESC) FILTER (WHERE at < w.starts AND NOT dust))[1],
    (array_agg(price ORDER BY id DESC) FILTER (WHERE at < w.starts AND NOT dust))[1],
    min(id) FILTER (WHERE NOT dust), (array_agg(at ORDER BY id) FILTER (WHERE NOT dust))[1], ${OPEN},
    max(id) FILTER (WHERE NOT dust), (array_agg(at ORDER BY id DESC) FILTER (WHERE NOT dust))[1], ${CLOSE}
  FROM fresh CROSS JOIN (SELECT coalesce(max(value::bigint), 0) AS starts FROM tape_meta WHERE name = 'window_start') AS w
  GROUP BY market_id ORDER BY market_id
  ON CONFLICT (market_id) DO UPDATE SET
    base = known.base + excluded.base, quote = known.quote + excluded.quote,
    buy_quote = known.buy_quote + excluded.buy_quote, n = known.n + excluded.n,
    high = greatest(known.high, excluded.high), low = least(known.low, excluded.low),
    before_id = greatest(known.before_id, excluded.before_id),
    before_at = CASE WHEN known.before_id > excluded.before_id OR excluded.before_id IS NULL THEN known.before_at ELSE excluded.before_at END,
    before_price = CASE WHEN known.before_id > excluded.before_id OR excluded.before_id IS NULL THEN known.before_price ELSE excluded.before_price END,
    first_id = least(known.first_id, excluded.first_id),
    first_at = CASE WHEN known.first_id < excluded.first_id OR excluded.first_id IS NULL THEN known.first_at ELSE excluded.first_at END,
    first_price = CASE WHEN known.first_id < excluded.first_id OR excluded.first_id IS NULL THEN known.first_price ELSE excluded.first_price END,
    last_id = greatest(known.last_id, excluded.last_id),
    last_at = CASE WHEN known.last_id > excluded.last_id OR excluded.last_id IS NULL THEN known.last_at ELSE excluded.last_at END,
    last_price = CASE WHEN known.last_id > excluded.last_id OR excluded.last_id IS NULL THEN known.last_price ELSE excluded.last_price END
), newest AS (
  INSERT INTO last_trades AS known (${TRADE_COLUMNS})
  SELECT DISTINCT ON (market_id) ${TRADE_COLUMNS} FROM fresh ORDER BY market_id, id DESC
  ON CONFLICT (market_id) DO UPDATE SET id = excluded.id, at = excluded.at, is_buy = excluded.is_buy, base = excluded.base,
    quote = excluded.quote, fee = excluded.fee, fee_source = excluded.fee_source, price = excluded.price,
    dust = excluded.dust, trader = excluded.trader, signature = excluded.signature, source = excluded.source,
    created_at = excluded.created_at
  WHERE known.id < excluded.id
), people AS (
  INSERT INTO trader_markets AS known (trader, market_id, n)
  SELECT trader, market_id, count(*) FROM fresh GROUP BY trader, market_id ORDER BY trader, market_id
  ON CONFLICT (trader, market_id) DO UPDATE SET n = known.n + excluded.n
)
SELECT id, created_at FROM fresh ORDER BY id`;

/**
 * Writes down those that are not there yet, with all that follows from them, in one statement; returns them, not sealed. To be
 * asked inside a transaction that holds `WINDOW_LOCK` shared.
 */
export async function appendTrades(
  query: Query,
  trades: readonly TapeTrade[],
  decimalsOf: (marketId: number) => MarketDecimals,
): Promise<readonly RecordedTrade[]> {
  if (trades.length === 0) return [];
  const given = new Map(trades.map((trade) => [trade.id.toString(), trade]));
  const rows = await query<Pick<TradeRow, 'id' | 'created_at'>>(
    APPEND,
    tradeColumns([...given.values()], decimalsOf),
  );
  // Nothing but the time is read back: the rest is known, and turning bytes into addresses again costs.
  return rows.flatMap(({ id, created_at: createdAt }) => {
    const trade = given.get(id);
    if (trade === undefined) return [];
    const price = exactPrice(trade, decimalsOf(trade.marketId));
    return [{ ...trade, price, dust: isDust(trade), sealed: false, createdAt: createdAt.getTime() }];
  });
}
