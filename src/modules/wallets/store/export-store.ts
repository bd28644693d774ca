import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { ExportModel as Row } from '../../../platform/db/generated/models.ts';
import { storedWord } from '../../../platform/db/stored-word.ts';
import { EXPORT_STOPPERS, type ExportEnd, type KeyExport } from '../../guard/rules/key-export.ts';
import type { ExportStore } from './export-store-port.ts';

export function createExportStore({ prisma }: Pick<Connection, 'prisma'>): ExportStore {
  return {
    find: async (id) => {
      const row = await prisma().export.findUnique({ where: { id } });
      return row && toExport(row);
    },
    listByUser: async (userId, since) => {
      const rows = await prisma().export.findMany({
        where: { userId, OR: [{ askedAt: { gte: new Date(since) } }, { endKind: null }] },
        orderBy: [{ askedAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toExport);
    },
    listOpen: async (now, limit) => {
      const rows = await prisma().export.findMany({
        where: { endKind: null, endsAt: { gt: new Date(now) } },
        orderBy: [{ askedAt: 'asc' }, { id: 'asc' }],
        take: limit,
      });
      return rows.map(toExport);
    },
    insert: async (_passed, { end, ...asked }) => {
      await prisma().export.create({
        data: {
          ...asked,
          askedAt: toTime(asked.askedAt),
          readyAt: toTime(asked.readyAt),
          endsAt: toTime(asked.endsAt),
          ...(end === null ? {} : columnsOf(end)),
        },
      });
    },
    end: async (_passed, id, end) => {
      const { count } = await prisma().export.updateMany({
        where: { id, endKind: null },
        data: columnsOf(end),
      });
      return count > 0;
    },
  };
}

function columnsOf(end: ExportEnd): Pick<Row, 'endKind' | 'stoppedBy'> & { readonly endAt: string | Date } {
  return { endKind: end.kind, endAt: toTime(end.at), stoppedBy: end.kind === 'STOPPED' ? end.by : null };
}

function toExport({ endKind, endAt, stoppedBy, ...row }: Row): KeyExport {
  return {
    ...row,
    askedAt: fromTime(row.askedAt),
    readyAt: fromTime(row.readyAt),
    endsAt: fromTime(row.endsAt),
    // Checked by the table: both or neither, and who stopped it with it.
    end:
      endKind === null || endAt === null
        ? null
        : endOf(row.id, { kind: endKind, by: stoppedBy }, fromTime(endAt)),
  };
}

function endOf(
  row: string,
  { kind, by }: { readonly kind: string; readonly by: string | null },
  at: number,
): ExportEnd {
  const place = { table: 'exports', row } as const;
  const end = storedWord(['TAKEN', 'LAPSED', 'STOPPED'], kind, { ...place, field: 'end_kind' });
  if (end !== 'STOPPED') return { kind: end, at };
  return { kind: end, at, by: storedWord(EXPORT_STOPPERS, by ?? '', { ...place, field: 'stopped_by' }) };
}
