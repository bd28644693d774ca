import { type BigintColumn, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection, Query } from '../../../platform/db/connection.ts';
import type { AuditEntryModel } from '../../../platform/db/generated/models.ts';
import { decodeDetails, encodeDetails } from '../../../platform/db/json/act-json.ts';
import type { ActLink, AuditLog, RecordedAct } from './audit-log-port.ts';

/** Writes an act for a caller that has only one statement of a transaction. */
export function createActRecorder(query: Query): Pick<AuditLog, 'record'> {
  return {
    record: async ({ at, actor, act, subject, outcome, details }) => {
      // SQL: number, `prev` and `hash` come from a trigger, and the model wants the number of the caller.
      await query(
        `INSERT INTO audit_log (at, actor, act, subject, outcome, details)
         VALUES ($1::timestamptz, $2, $3, $4, $5, $6::jsonb)`,
        [toTime(at), actor, act, subject, outcome, encodeDetails(act, details)],
      );
    },
  };
}

export function createPrismaAuditLog({ prisma, query }: Pick<Connection, 'prisma' | 'query'>): AuditLog {
  return {
    ...createActRecorder(query),
    list: async ({ subject, act, since }, { limit, offset }) => {
      const rows = await prisma().auditEntry.findMany({
        where: {
          ...(subject === undefined ? {} : { subject }),
          ...(act === undefined ? {} : { act }),
          ...(since === undefined ? {} : { at: { gte: new Date(since) } }),
        },
        orderBy: { id: 'desc' },
        skip: offset,
        take: limit,
      });
      return rows.map(toAct);
    },
    links: async (after, limit) => {
      // SQL: a function of the database writes the row as the text that was hashed.
      const rows = await query<Omit<ActLink, 'id' | 'at'> & { readonly id: BigintColumn; readonly at: Date }>(
        `SELECT id::text, at, audit_log_text(audit_log) AS text, prev, hash FROM audit_log
         WHERE audit_log.id > $1::bigint ORDER BY audit_log.id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({ ...row, id: BigInt(row.id), at: fromTime(row.at) }));
    },
  };
}

function toAct({ id, at, actor, act, subject, outcome, details }: AuditEntryModel): RecordedAct {
  const read = decodeDetails(act, id.toString(), details);
  // The details were read by the act, so that the two belong together.
  return { id, at: fromTime(at), actor, act, subject, outcome, details: read } as RecordedAct;
}
