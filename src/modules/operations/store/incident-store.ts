import { keysOf } from '../../../core/records.ts';
import { fromTime, fromTimeOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { storedWord } from '../../../platform/db/stored-word.ts';
import { AFFECTED } from '../rules/incident.ts';
import type { IncidentStore } from './incident-store-port.ts';

// SQL: an end is written once, and the same statement says whether it was.

type Row = {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly string[];
  readonly openedAt: Date;
  readonly closedAt: Date | null;
};
type NoteRow = { readonly incidentId: string; readonly at: Date; readonly text: string };

export function createIncidentStore(query: Query): IncidentStore {
  return {
    open: async ({ id, title, parts, openedAt }) => {
      await query(
        'INSERT INTO incidents (id, title, parts, opened_at) VALUES ($1, $2, $3::text[], $4::timestamptz)',
        [id, title, [...parts], toTime(openedAt)],
      );
    },
    note: async (incidentId, { id, at, text }) => {
      const rows = await query(
        `INSERT INTO incident_notes (id, incident_id, at, text)
         SELECT $1, incident.id, $3::timestamptz, $4 FROM incidents AS incident WHERE incident.id = $2 RETURNING 1`,
        [id, incidentId, toTime(at), text],
      );
      return rows.length > 0;
    },
    close: async (id, at) => {
      const [row] = await query<{ readonly isNow: boolean }>(
        `WITH closed AS (
           UPDATE incidents SET closed_at = greatest($2::timestamptz, opened_at) WHERE id = $1 AND closed_at IS NULL RETURNING id
         )
         SELECT EXISTS (SELECT FROM closed) AS "isNow" FROM incidents WHERE id = $1`,
        [id, toTime(at)],
      );
      return row === undefined ? null : row.isNow ? 'now' : 'before';
    },
    list: async (since) => {
      const rows = await query<Row>(
        `SELECT id, title, parts, opened_at AS "openedAt", closed_at AS "closedAt" FROM incidents
         WHERE closed_at IS NULL OR opened_at >= $1::timestamptz ORDER BY opened_at DESC, id DESC`,
        [toTime(since)],
      );
      const notes = await query<NoteRow>(
        `SELECT incident_id AS "incidentId", at, text FROM incident_notes
         WHERE incident_id = ANY ($1::text[]) ORDER BY at DESC, id DESC`,
        [rows.map(({ id }) => id)],
      );
      return rows.map(({ parts, openedAt, closedAt, ...row }) => ({
        ...row,
        parts: parts.map((part) =>
          storedWord(keysOf(AFFECTED), part, { table: 'incidents', row: row.id, field: 'parts' }),
        ),
        openedAt: fromTime(openedAt),
        closedAt: fromTimeOrNull(closedAt),
        notes: notes
          .filter(({ incidentId }) => incidentId === row.id)
          .map(({ at, text }) => ({ at: fromTime(at), text })),
      }));
    },
  };
}
