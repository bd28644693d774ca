import { z } from 'zod';
import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { address, type Shape } from '../../../platform/db/json/fields.ts';
import { jsonColumn } from '../../../platform/db/json/json-column.ts';
import { translating } from '../../../platform/db/unit-of-work.ts';
import type { Trend } from '../rules/trending.ts';
import type { TrendingStore } from './trending-store-port.ts';

// SQL: ranks by sums over the tape.

const TREND: Shape<Trend> = {
  mint: address,
  score: z.number(),
  traders: z.number(),
  volumeUsd: z.number(),
  netUsd: z.number(),
};
const LIST = z.strictObject({ trends: z.array(z.strictObject(TREND)) });
const TOKENS = jsonColumn<{ readonly trends: readonly Trend[] }>('trending_tokens.tokens', [LIST, LIST]);

/** One row per window, written over each time. */
export function createTrendingStore({ query }: Pick<Connection, 'query'>, url: string): TrendingStore {
  const store: TrendingStore = {
    save: async (hours, trends, now) => {
      await query(
        `INSERT INTO trending_tokens AS known (hours, computed_at, tokens) VALUES ($1::smallint, $2::timestamptz, $3::jsonb)
         ON CONFLICT (hours) DO UPDATE SET computed_at = excluded.computed_at, tokens = excluded.tokens
         WHERE known.computed_at <= excluded.computed_at RETURNING hours`,
        [hours, toTime(now), TOKENS.encode(String(hours), { trends })],
      );
    },
    load: async (hours) => {
      const [row] = await query<{ readonly computed_at: Date; readonly tokens: unknown }>(
        'SELECT computed_at, tokens FROM trending_tokens WHERE hours = $1::smallint',
        [hours],
      );
      return row === undefined
        ? null
        : { computedAt: fromTime(row.computed_at), trends: TOKENS.decode(String(hours), row.tokens).trends };
    },
  };
  return translating(store, url);
}
