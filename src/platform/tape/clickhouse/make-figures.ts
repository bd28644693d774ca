import { type Engine, PARAMETERS_AT_ONCE } from './engine.ts';

/**
 * `before` is the last price before the window: of a minute of the window's first day, or of a whole day before it. First and last prices
 * come from the days, which are kept for ever.
 */
const FIGURES = `INSERT INTO market_stats
SELECT k.market_id, {starts: Int64}, w.base_sum, w.quote_sum, w.buy_sum, w.trades, w.high, w.low,
  p.price, p.id, p.at, e.first_price, e.first_id, e.first_at, e.last_price, e.last_id, e.last_at, {version: UInt64}
FROM (SELECT arrayJoin({markets: Array(UInt32)}) AS market_id) AS k
LEFT JOIN (
  SELECT market_id, sum(base) AS base_sum, sum(quote) AS quote_sum, sum(buy_quote) AS buy_sum, sum(n) AS trades,
    argMaxIf(h, (h_exponent, h_digits), open_id > 0) AS high, argMinIf(l, (l_exponent, l_digits), open_id > 0) AS low
  FROM candles FINAL WHERE market_id IN {markets: Array(UInt32)} AND res = 1 AND t >= {starts: Int64} GROUP BY market_id
) AS w ON w.market_id = k.market_id
LEFT JOIN (
  SELECT market_id, argMax(c, close_id) AS price, max(close_id) AS id, argMax(close_at, close_id) AS at
  FROM candles FINAL WHERE market_id IN {markets: Array(UInt32)} AND close_id > 0
    AND ((res = 1 AND t >= {starts: Int64} - {starts: Int64} % 86400 AND t < {starts: Int64}) OR (res = 1440 AND t <= {starts: Int64} - 86400))
  GROUP BY market_id
) AS p ON p.market_id = k.market_id
LEFT JOIN (
  SELECT market_id, argMin(o, open_id) AS first_price, min(open_id) AS first_id, argMin(open_at, open_id) AS first_at,
    argMax(c, close_id) AS last_price, max(close_id) AS last_id, argMax(close_at, close_id) AS last_at
  FROM candles FINAL WHERE market_id IN {markets: Array(UInt32)} AND res = 1440 AND close_id > 0 GROUP BY market_id
) AS e ON e.market_id = k.market_id
SETTINGS join_use_nulls = 0, prefer_column_name_to_alias = 1`;

/** The 24 h figures of these markets anew, out of their bars, for a window that begins at `starts` (Unix seconds). */
export async function makeFigures(
  engine: Engine,
  marketIds: readonly number[],
  { starts, version }: { readonly starts: number; readonly version: bigint },
): Promise<void> {
  for (let at = 0; at < marketIds.length; at += PARAMETERS_AT_ONCE)
    await engine.run(FIGURES, {
      markets: marketIds.slice(at, at + PARAMETERS_AT_ONCE),
      starts,
      version: version.toString(),
    });
}
