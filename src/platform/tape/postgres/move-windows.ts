import { startOf } from '../../../core/time/age.ts';
import type { Query } from '../../db/connection.ts';
import { WINDOW_LOCK } from './append-trades.ts';

// SQL: figures of 24 hours are moved by sums over the trades that came and went.

const MINUTE = 60;
const DAY_MINUTES = 1_440;
const DAY = DAY_MINUTES * MINUTE;

/** The last 1,440 whole minutes and the current one. */
export function windowStartAt(now: number): number {
  return startOf(now, MINUTE) - DAY;
}

/** The bars that left the window, subtracted; highs and lows only where the leaver may have held them. */
const SUBTRACT = `WITH gone AS (
  SELECT s.market_id, bar.* FROM market_stats s CROSS JOIN LATERAL (
    SELECT sum(base) AS base, sum(quote) AS quote, sum(buy_quote) AS buy_quote, sum(n)::int AS n, max(h) AS h, min(l) AS l,
      max(close_id) AS close_id, (array_agg(c ORDER BY close_id DESC NULLS LAST))[1] AS c
    FROM candles WHERE market_id = s.market_id AND res = 1 AND t >= $1::bigint AND t < $2::bigint) AS bar
  WHERE bar.n > 0
)
UPDATE market_stats s SET base = s.base - gone.base, quote = s.quote - gone.quote, buy_quote = s.buy_quote - gone.buy_quote,
  n = s.n - gone.n,
  before_id = coalesce(gone.close_id, s.before_id), before_price = coalesce(gone.c, s.before_price),
  before_at = CASE WHEN gone.close_id IS NULL THEN s.before_at ELSE coalesce((SELECT at FROM trades WHERE id = gone.close_id), $2::bigint) END,
  high = CASE WHEN gone.h < s.high THEN s.high ELSE kept.h END, low = CASE WHEN gone.l > s.low THEN s.low ELSE kept.l END
FROM gone LEFT JOIN LATERAL (
  SELECT max(h) AS h, min(l) AS l FROM candles WHERE market_id = gone.market_id AND res = 1 AND t >= $2::bigint) AS kept ON true
WHERE s.market_id = gone.market_id RETURNING s.market_id`;

/** All figures of the given markets anew, from their bars; of every market where none is named. */
const RECOMPUTE = `UPDATE market_stats s SET base = coalesce(bar.base, 0), quote = coalesce(bar.quote, 0),
  buy_quote = coalesce(bar.buy_quote, 0), n = coalesce(bar.n, 0), high = bar.h, low = bar.l,
  before_id = earlier.close_id, before_price = earlier.c,
  before_at = coalesce((SELECT at FROM trades WHERE id = earlier.close_id), earlier.t),
  first_id = initial.open_id, first_price = initial.o,
  first_at = coalesce((SELECT at FROM trades WHERE id = initial.open_id), initial.t),
  last_id = latest.close_id, last_price = latest.c,
  last_at = coalesce((SELECT at FROM trades WHERE id = latest.close_id), latest.t)
FROM market_stats own
LEFT JOIN LATERAL (SELECT sum(base) AS base, sum(quote) AS quote, sum(buy_quote) AS buy_quote, sum(n)::int AS n, max(h) AS h,
    min(l) AS l FROM candles WHERE market_id = own.market_id AND res = 1 AND t >= $1::bigint) AS bar ON true
LEFT JOIN LATERAL (
    SELECT * FROM (SELECT t, c, close_id FROM candles WHERE market_id = own.market_id AND res = 1 AND close_id IS NOT NULL
      AND t < $1::bigint ORDER BY t DESC LIMIT 1) AS minute
    UNION ALL SELECT * FROM (SELECT t, c, close_id FROM candles WHERE market_id = own.market_id AND res = 1440
      AND close_id IS NOT NULL AND t <= $1::bigint - 86400 ORDER BY t DESC LIMIT 1) AS day
    ORDER BY close_id DESC LIMIT 1) AS earlier ON true
LEFT JOIN LATERAL (SELECT t, o, open_id FROM candles WHERE market_id = own.market_id AND res = 1440 AND open_id IS NOT NULL
    ORDER BY t LIMIT 1) AS initial ON true
LEFT JOIN LATERAL (SELECT t, c, close_id FROM candles WHERE market_id = own.market_id AND res = 1440 AND close_id IS NOT NULL
    ORDER BY t DESC LIMIT 1) AS latest ON true
WHERE s.market_id = own.market_id AND ($2::int[] IS NULL OR own.market_id = ANY ($2::int[])) RETURNING s.market_id`;

/** Inside a transaction: no other one adds to a window while it moves. A window never moves back. */
export async function moveWindows(query: Query, now: number): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(${WINDOW_LOCK})`, []);
  const from = await windowStart(query);
  const to = windowStartAt(now);
  if (to <= from) return;
  // Over a longer pause the bars that left may be gone themselves.
  if (to - from > DAY) await query(RECOMPUTE, [to, null]);
  else await query(SUBTRACT, [from, to]);
  await query(
    `INSERT INTO tape_meta (name, value) VALUES ('window_start', $1::text)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING name`,
    [to.toString()],
  );
}

/** Inside a transaction that holds `WINDOW_LOCK`. */
export async function recomputeFigures(query: Query, marketIds: readonly number[]): Promise<void> {
  if (marketIds.length === 0) return;
  await query(RECOMPUTE, [await windowStart(query), marketIds.map(String)]);
}

/** 0 before the first move: everything counts. */
export async function windowStart(query: Query): Promise<number> {
  const [row] = await query<{ readonly value: string }>(
    `SELECT value FROM tape_meta WHERE name = 'window_start'`,
    [],
  );
  return row === undefined ? 0 : Number(row.value);
}
