import type { Connection } from '../../../platform/db/connection.ts';
import type { SourceCount } from '../rules/source-figures.ts';
import type { SourceCounts } from './source-counts-port.ts';

// SQL: many counters are added in one statement, in one order, so that two processes never wait for each other.

/** The counts in Postgres, beside the stores of the money path: nothing here is part of a unit of work. */
export function createSourceCounts({ query }: Pick<Connection, 'query'>): SourceCounts {
  return {
    add: async (counts, keepFrom) => {
      if (counts.length === 0) return;
      const text = (field: keyof SourceCount) => counts.map((row) => String(row[field]));
      await query(
        `WITH old AS (DELETE FROM quote_sources WHERE day < $1::date)
         INSERT INTO quote_sources (day, pair_class, source, outcome, gain_bps, quotes)
         SELECT c.day::date, c.pair_class, c.source, c.outcome, c.gain_bps::integer, sum(c.quotes::bigint)
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
           AS c(day, pair_class, source, outcome, gain_bps, quotes)
         WHERE c.day::date >= $1::date
         GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
         ON CONFLICT (day, pair_class, source, outcome, gain_bps) DO UPDATE SET quotes = quote_sources.quotes + EXCLUDED.quotes
         RETURNING source`,
        [
          keepFrom,
          text('day'),
          text('pairClass'),
          text('source'),
          text('outcome'),
          text('gainBps'),
          text('quotes'),
        ],
      );
    },
    list: async (fromDay) =>
      (
        await query<Omit<SourceCount, 'quotes'> & { readonly quotes: string }>(
          `SELECT to_char(day, 'YYYY-MM-DD') AS day, pair_class AS "pairClass", source, outcome, gain_bps AS "gainBps", quotes::text AS quotes
           FROM quote_sources WHERE day >= $1::date`,
          [fromDay],
        )
      ).map((row) => ({ ...row, quotes: Number(row.quotes) })),
  };
}
