import type { OwnTable } from '../../../src/engine/lookup-tables/rules/own-table.ts';
import type { LookupTableStore } from '../../../src/engine/lookup-tables/store-port.ts';

/** The operator's tables in memory, with the rules of the real store. */
export function fakeLookupTableStore(): LookupTableStore {
  const rows = new Map<string, OwnTable>();
  return {
    list: async () =>
      [...rows.values()].toSorted((a, b) => a.createdAt - b.createdAt || (a.address < b.address ? -1 : 1)),
    insert: async (table) => {
      if (rows.has(table.address)) return false;
      rows.set(table.address, table);
      return true;
    },
    append: async (address, length, entries) => {
      const row = rows.get(address);
      if (row === undefined || row.closingAt !== null || row.entries.length !== length) return false;
      if (length + entries.length > 256) throw new Error('a table holds 256 entries');
      rows.set(address, { ...row, entries: [...row.entries, ...entries] });
      return true;
    },
    markClosing: async (address, at) => {
      const row = rows.get(address);
      if (row !== undefined) rows.set(address, { ...row, closingAt: row.closingAt ?? at });
    },
    remove: async (address) => void rows.delete(address),
  };
}
