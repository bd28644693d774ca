import { barStart, type StoredMinutes } from '@tradepost/tape';
import { type Engine, PARAMETERS_AT_ONCE } from './engine.ts';

/** The place of a trade, present or deleted. */
export type Place = { readonly marketId: number /** Unix seconds. */; readonly at: number };

/** Each resolution is summed from the one before it: a busy day is never read trade by trade. */
const STEPS: readonly { readonly minutes: StoredMinutes; readonly from: StoredMinutes | null }[] = [
  { minutes: 1, from: null },
  { minutes: 5, from: 1 },
  { minutes: 15, from: 5 },
  { minutes: 60, from: 15 },
  { minutes: 240, from: 60 },
  { minutes: 1_440, from: 240 },
];

const KEYS = `SELECT tupleElement(x, 1) AS market_id, tupleElement(x, 2) AS t
  FROM (SELECT arrayJoin(arrayZip({markets: Array(UInt32)}, {starts: Array(Int64)})) AS x)`;

const OF_TRADES = `SELECT market_id, at - at % 60 AS t,
    argMinIf(price, id, NOT dust) AS o, argMaxIf(price, (price_exponent, price_digits), NOT dust) AS h,
    argMinIf(price, (price_exponent, price_digits), NOT dust) AS l, argMaxIf(price, id, NOT dust) AS c,
    maxIf((price_exponent, price_digits), NOT dust) AS high, minIf((price_exponent, price_digits), NOT dust) AS low,
    sum(toUInt128(base)) AS base_sum, sum(toUInt128(quote)) AS quote_sum, sumIf(toUInt128(quote), is_buy) AS buy_sum, count() AS trades,
    minIf(id, NOT dust) AS open_id, maxIf(id, NOT dust) AS close_id, argMinIf(at, id, NOT dust) AS open_at,
    argMaxIf(at, id, NOT dust) AS close_at
  FROM trades FINAL
  WHERE market_id IN {markets: Array(UInt32)} AND at >= {low: Int64} AND at < {high: Int64} AND (market_id, at - at % 60) IN (${KEYS})
  GROUP BY market_id, t`;

const OF_BARS = `SELECT market_id, bar AS t,
    argMinIf(o, open_id, open_id > 0) AS o, argMaxIf(h, (h_exponent, h_digits), open_id > 0) AS h,
    argMinIf(l, (l_exponent, l_digits), open_id > 0) AS l, argMaxIf(c, close_id, open_id > 0) AS c,
    maxIf((h_exponent, h_digits), open_id > 0) AS high, minIf((l_exponent, l_digits), open_id > 0) AS low,
    sum(base) AS base_sum, sum(quote) AS quote_sum, sum(buy_quote) AS buy_sum, sum(n) AS trades,
    minIf(open_id, open_id > 0) AS open_id, max(close_id) AS close_id, argMinIf(open_at, open_id, open_id > 0) AS open_at,
    argMaxIf(close_at, close_id, open_id > 0) AS close_at
  FROM (SELECT *, t - t % {span: Int64} AS bar FROM candles FINAL
    WHERE market_id IN {markets: Array(UInt32)} AND res = {parent: UInt16} AND t >= {low: Int64} AND t < {high: Int64})
  WHERE (market_id, bar) IN (${KEYS})
  GROUP BY market_id, bar`;

const insertOf = (sums: string): string => `INSERT INTO candles
SELECT k.market_id, {res: UInt16}, k.t, b.o, b.h, b.l, b.c, b.high.1, b.high.2, b.low.1, b.low.2, b.base_sum, b.quote_sum, b.buy_sum,
  b.trades, b.open_id, b.close_id, b.open_at, b.close_at, {version: UInt64}, b.trades = 0
FROM (${KEYS}) AS k LEFT JOIN (${sums}) AS b ON b.market_id = k.market_id AND b.t = k.t
SETTINGS join_use_nulls = 0, prefer_column_name_to_alias = 1`;

/**
 * Makes the bars anew that these places touch, of every kept resolution. Bars are computed, never added to: running it again
 * changes nothing. A bar without a trade is gone.
 */
export async function makeBars(engine: Engine, places: readonly Place[], version: bigint): Promise<void> {
  for (const { minutes, from } of STEPS) {
    const bars = new Map<string, Place>();
    for (const { marketId, at } of places) {
      const start = barStart(at, minutes);
      bars.set(`${marketId} ${start}`, { marketId, at: start });
    }
    const keys = [...bars.values()].toSorted(
      (one, other) => one.marketId - other.marketId || one.at - other.at,
    );
    for (let at = 0; at < keys.length; at += PARAMETERS_AT_ONCE)
      await makeSome(engine, keys.slice(at, at + PARAMETERS_AT_ONCE), { minutes, from, version });
  }
}

async function makeSome(
  engine: Engine,
  keys: readonly Place[],
  {
    minutes,
    from,
    version,
  }: { readonly minutes: StoredMinutes; readonly from: StoredMinutes | null; readonly version: bigint },
): Promise<void> {
  const starts = keys.map(({ at }) => at);
  await engine.run(insertOf(from === null ? OF_TRADES : OF_BARS), {
    markets: keys.map(({ marketId }) => marketId),
    starts,
    low: starts.reduce((least, start) => Math.min(least, start)),
    high: starts.reduce((most, start) => Math.max(most, start)) + minutes * 60,
    res: minutes,
    version: version.toString(),
    ...(from === null ? {} : { parent: from, span: minutes * 60 }),
  });
}
