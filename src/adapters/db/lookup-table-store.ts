import type { OwnTable } from '../../core/lookup-tables/own-table.ts';
import type { LookupTableStore } from '../../core/ports/lookup-table-store.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';
import { storedAddress } from './stored-address.ts';

type Row = {
  readonly address: string;
  readonly authority: string;
  readonly entries: readonly string[];
  readonly createdAt: Date;
  readonly closingAt: Date | null;
};

/** The operator's lookup tables, beside the stores of the money path: nothing here is part of a unit of work. */
export function createLookupTableStore({ query }: Pick<Connection, 'query'>): LookupTableStore {
  return {
    list: async () =>
      (
        await query<Row>(
          `SELECT address, authority, entries, created_at AS "createdAt", closing_at AS "closingAt"
           FROM lookup_tables ORDER BY created_at, address`,
          [],
        )
      ).map(toTable),
    insert: async (table) =>
      (
        await query(
          `INSERT INTO lookup_tables (address, authority, entries, created_at, closing_at)
           VALUES ($1, $2, $3::text[], $4::timestamptz, $5::timestamptz)
           ON CONFLICT DO NOTHING RETURNING address`,
          [
            table.address,
            table.authority,
            table.entries,
            toTime(table.createdAt),
            table.closingAt === null ? null : toTime(table.closingAt),
          ],
        )
      ).length > 0,
    append: async (address, length, entries) =>
      (
        await query(
          `UPDATE lookup_tables SET entries = entries || $3::text[]
           WHERE address = $1 AND cardinality(entries) = $2::int AND closing_at IS NULL RETURNING address`,
          [address, length, entries],
        )
      ).length > 0,
    markClosing: async (address, at) => {
      await query(
        'UPDATE lookup_tables SET closing_at = coalesce(closing_at, $2::timestamptz) WHERE address = $1 RETURNING address',
        [address, toTime(at)],
      );
    },
    remove: async (address) => {
      await query('DELETE FROM lookup_tables WHERE address = $1 RETURNING address', [address]);
    },
  };
}

function toTable(row: Row): OwnTable {
  return {
    // Written by this store from checked values; what stands on the chain is compared with them at each use.
    address: storedAddress(row.address),
    authority: storedAddress(row.authority),
    entries: row.entries.map(storedAddress),
    createdAt: fromTime(row.createdAt),
    closingAt: row.closingAt === null ? null : fromTime(row.closingAt),
  };
}
