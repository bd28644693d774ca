import type { Query } from '../../../platform/db/connection.ts';
import { type BookRule, findMismatches } from '../../../platform/db/mismatches.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';

// SQL: rules over copies, decisions and intents are one statement over one snapshot.

const KEY = `'copy:' || t.copy_id || ':' || t.signature || ':' || t.leg`;
const SUBJECT = `t.copy_id || '/' || t.signature || '/' || t.leg`;
const ENDED = `('FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED')`;

const RULES: readonly BookRule[] = [
  {
    rule: 'copy-intent',
    sql: `SELECT ${SUBJECT}, CASE WHEN i.id IS NULL THEN 'has no intent'
        WHEN NOT starts_with(i.idem_key, ${KEY}) THEN 'its intent answers to another key' ELSE 'its intent is of another person or side' END
      FROM copy_trades t JOIN copies c ON c.id = t.copy_id LEFT JOIN intents i ON i.id = t.intent_id
      WHERE t.intent_id IS NOT NULL
        AND (i.id IS NULL OR NOT starts_with(i.idem_key, ${KEY}) OR i.user_id <> c.user_id OR i.kind <> t.side)`,
  },
  {
    rule: 'copy-unknown',
    sql: `SELECT i.id, 'was made for a copy that did not decide on it: ' || i.idem_key FROM intents i
      WHERE i.idem_key LIKE 'copy:%' AND NOT EXISTS (SELECT 1 FROM copy_trades t WHERE starts_with(i.idem_key, ${KEY}))`,
  },
  {
    rule: 'copy-end',
    sql: `SELECT ${SUBJECT}, 'is ' || t.status || ' and its intent ' || i.status FROM copy_trades t JOIN intents i ON i.id = t.intent_id
      WHERE t.status <> CASE WHEN i.status = 'SUCCEEDED' THEN CASE t.side WHEN 'buy' THEN 'BOUGHT' ELSE 'SOLD' END
        WHEN i.status IN ${ENDED} THEN CASE t.side WHEN 'buy' THEN 'NOT_BOUGHT' ELSE 'OWED' END
        ELSE CASE t.side WHEN 'buy' THEN 'BUYING' ELSE 'SELLING' END END`,
  },
  {
    rule: 'copy-amount',
    sql: `SELECT ${SUBJECT}, 'says ' || t.amount || ', its intent '
        || (i.params -> CASE t.side WHEN 'buy' THEN 'lamportsIn' ELSE 'amountIn' END ->> '$bigint')
      FROM copy_trades t JOIN intents i ON i.id = t.intent_id
      WHERE t.amount <> (i.params -> CASE t.side WHEN 'buy' THEN 'lamportsIn' ELSE 'amountIn' END ->> '$bigint')::numeric`,
  },
  {
    rule: 'copy-twice',
    sql: `SELECT ${SUBJECT}, 'was carried out ' || count(i.id) || ' times' FROM copy_trades t
      JOIN intents i ON starts_with(i.idem_key, ${KEY}) AND i.status = 'SUCCEEDED'
      GROUP BY t.copy_id, t.signature, t.leg HAVING count(i.id) > 1`,
  },
  {
    rule: 'copy-sold',
    sql: `SELECT t.copy_id || '/' || t.mint, 'sold ' || coalesce(sum(t.moved) FILTER (WHERE t.status = 'SOLD'), 0) || ' units of '
        || coalesce(sum(t.moved) FILTER (WHERE t.side = 'buy'), 0)
      FROM copy_trades t GROUP BY t.copy_id, t.mint
      HAVING coalesce(sum(t.moved) FILTER (WHERE t.status = 'SOLD'), 0) > coalesce(sum(t.moved) FILTER (WHERE t.side = 'buy'), 0)`,
  },
];

/** The database's facts about all copies, for a check of them. Throws DATABASE_UNREACHABLE. */
export type CopyBooks = {
  /** Copies, decisions and intents that do not fit each other; none when all is well. */
  mismatches(): Promise<readonly Mismatch[]>;
  counts(): Promise<{ readonly copies: number; readonly trades: number }>;
};

/** Copies as the database has them, against their decisions and intents. */
export function createCopyBooks(query: Query): CopyBooks {
  return {
    mismatches: () => findMismatches(query, RULES),
    counts: async () => {
      const [row] = await query<{ readonly copies: number; readonly trades: number }>(
        `SELECT (SELECT count(*)::int FROM copies) AS copies,
           (SELECT count(*)::int FROM copy_trades WHERE status <> 'SKIPPED') AS trades`,
        [],
      );
      return row ?? { copies: 0, trades: 0 };
    },
  };
}
