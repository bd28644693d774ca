import { type BigintColumn, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { UseRow, UseRows } from './use-rows-port.ts';

// SQL: an operator's read of two tables as one.

const USES = `(SELECT 'withdrawal_uses' AS "table", intent_id, user_id, lamports, 0::bigint AS fees, counts_at FROM withdrawal_uses
  UNION ALL SELECT 'spending_uses', intent_id, user_id, all_lamports + floor_lamports, fee_lamports, counts_at FROM spending_uses) AS use`;
const COLUMNS = `use."table", use.intent_id AS "intentId", use.user_id AS "userId", use.lamports::text, use.fees::text,
  use.counts_at AS "countsAt"`;

type Row = Pick<UseRow, 'table' | 'intentId' | 'userId'> & {
  readonly lamports: BigintColumn | null;
  readonly fees: BigintColumn;
  readonly countsAt: Date;
};

export function createUseRows(query: Query): UseRows {
  return {
    ofIntents: async (intentIds) => {
      const sql = `SELECT ${COLUMNS} FROM ${USES} WHERE use.intent_id = ANY($1::text[])`;
      return (await query<Row>(sql, [intentIds])).map(toUse);
    },
    since: async (since, after, limit) => {
      const rows = await query<Row & { readonly owner: string | null; readonly kind: string | null }>(
        `SELECT ${COLUMNS}, intent.user_id AS owner, intent.kind FROM ${USES} LEFT JOIN intents AS intent ON intent.id = use.intent_id
         WHERE use.counts_at >= $1::timestamptz AND use.intent_id IN (
           SELECT intent_id FROM ${USES} WHERE counts_at >= $1::timestamptz AND intent_id > $2
           GROUP BY intent_id ORDER BY intent_id LIMIT $3::int)
         ORDER BY use.intent_id, use."table"`,
        [toTime(since), after, limit],
      );
      return rows.map(({ owner, kind, ...row }) => ({
        ...toUse(row),
        intent: kind === null ? null : { userId: owner, kind },
      }));
    },
  };
}

const toUse = ({ table, intentId, userId, lamports, fees, countsAt }: Row): UseRow => ({
  table,
  intentId,
  userId,
  lamports: lamports === null ? null : BigInt(lamports),
  fees: BigInt(fees),
  countsAt: fromTime(countsAt),
});
