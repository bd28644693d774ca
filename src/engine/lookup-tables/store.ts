import { fromTime, fromTimeOrNull, toDateOrNull } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import type { LookupTableModel } from '../../platform/db/generated/models.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { OwnTable } from './rules/own-table.ts';
import type { LookupTableStore } from './store-port.ts';

/** The operator's lookup tables, beside the stores of the money path: nothing here is part of a unit of work. */
export function createLookupTableStore({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): LookupTableStore {
  return {
    list: async () =>
      (await prisma().lookupTable.findMany({ orderBy: [{ createdAt: 'asc' }, { address: 'asc' }] })).map(
        toTable,
      ),
    insert: async (table) => {
      const { count } = await prisma().lookupTable.createMany({
        data: [
          {
            ...table,
            entries: [...table.entries],
            createdAt: new Date(table.createdAt),
            closingAt: toDateOrNull(table.closingAt),
          },
        ],
        skipDuplicates: true,
      });
      return count > 0;
    },
    append: async (address, length, entries) =>
      // SQL: appends when the table has the length that the caller saw; a model cannot compare a length.
      (
        await query(
          `UPDATE lookup_tables SET entries = entries || $3::text[]
           WHERE address = $1 AND cardinality(entries) = $2::int AND closing_at IS NULL RETURNING address`,
          [address, length, entries],
        )
      ).length > 0,
    markClosing: async (address, at) => {
      await prisma().lookupTable.updateMany({
        where: { address, closingAt: null },
        data: { closingAt: new Date(at) },
      });
    },
    remove: async (address) => {
      await prisma().lookupTable.deleteMany({ where: { address } });
    },
  };
}

function toTable(row: LookupTableModel): OwnTable {
  return {
    // Written by this store from checked values; the chain's entries are compared with them at each use.
    address: storedAddress(row.address),
    authority: storedAddress(row.authority),
    entries: row.entries.map(storedAddress),
    createdAt: fromTime(row.createdAt),
    closingAt: fromTimeOrNull(row.closingAt),
  };
}
