import type { ActLink, AuditLog, RecordedAct, UnreadAct } from '../../core/ports/audit-log.ts';
import { type BigintColumn, fromTime, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';
import { decodeDetails, encodeDetails } from './json/act-json.ts';

type Row = Pick<UnreadAct, 'actor' | 'act' | 'subject' | 'outcome'> & {
  readonly id: string;
  readonly at: Date;
  readonly details: unknown;
};

export function createPrismaAuditLog({ query }: Pick<Connection, 'query'>): AuditLog {
  return {
    record: async ({ at, actor, act, subject, outcome, details }) => {
      await query(
        `INSERT INTO audit_log (at, actor, act, subject, outcome, details)
         VALUES ($1::timestamptz, $2, $3, $4, $5, $6::jsonb)`,
        [toTime(at), actor, act, subject, outcome, encodeDetails(act, details)],
      );
    },
    list: async ({ subject, act, since }, { limit, offset }) => {
      const rows = await query<Row>(
        `SELECT id::text, at, actor, act, subject, outcome, details FROM audit_log
         WHERE ($1::text IS NULL OR subject = $1) AND ($2::text IS NULL OR act = $2)
           AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)
         ORDER BY audit_log.id DESC LIMIT $4::int OFFSET $5::int`,
        [subject ?? null, act ?? null, toTimeOrNull(since ?? null), limit, offset],
      );
      return rows.map(toAct);
    },
    links: async (after, limit) => {
      const rows = await query<Omit<ActLink, 'id'> & { readonly id: BigintColumn }>(
        `SELECT id::text, audit_log_text(audit_log) AS text, prev, hash FROM audit_log
         WHERE audit_log.id > $1::bigint ORDER BY audit_log.id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({ ...row, id: BigInt(row.id) }));
    },
  };
}

function toAct(row: Row): RecordedAct {
  const details = decodeDetails(row.act, row.id, row.details);
  // The details were read by the act, so that the two belong together.
  return { ...row, id: BigInt(row.id), at: fromTime(row.at), details } as RecordedAct;
}
