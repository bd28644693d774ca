import type { BookedAddress } from '../../core/guard/address-book.ts';
import type { AddressBookStore } from '../../core/ports/address-book-store.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection, Parameter } from './connection.ts';
import { storedAddress } from './stored-address.ts';

const COLUMNS = `id, user_id AS "userId", wallet_id AS "walletId", address, name, added_at AS "addedAt"`;

type Row = Omit<BookedAddress, 'address' | 'addedAt'> & { readonly address: string; readonly addedAt: Date };

export function createPrismaAddressBookStore({ query }: Connection): AddressBookStore {
  const many = async (text: string, values: readonly Parameter[]): Promise<readonly BookedAddress[]> =>
    (await query<Row>(text, values)).map(toEntry);
  const find: AddressBookStore['find'] = async (walletId, address) =>
    (
      await many(`SELECT ${COLUMNS} FROM address_book WHERE wallet_id = $1 AND address = $2`, [
        walletId,
        address,
      ])
    )[0] ?? null;
  return {
    find,
    list: (walletId) =>
      many(`SELECT ${COLUMNS} FROM address_book WHERE wallet_id = $1 ORDER BY id`, [walletId]),
    insert: async (entry) => {
      const [row] = await many(
        `INSERT INTO address_book (id, user_id, wallet_id, address, name, added_at)
         VALUES ($1, $2, $3, $4, $5, $6::timestamptz)
         ON CONFLICT (wallet_id, address) DO NOTHING RETURNING ${COLUMNS}`,
        [entry.id, entry.userId, entry.walletId, entry.address, entry.name, toTime(entry.addedAt)],
      );
      return row ?? (await find(entry.walletId, entry.address)) ?? entry;
    },
    remove: async (id, userId) =>
      (
        await many(`DELETE FROM address_book WHERE id = $1 AND user_id = $2 RETURNING ${COLUMNS}`, [
          id,
          userId,
        ])
      )[0] ?? null,
  };
}

function toEntry(row: Row): BookedAddress {
  // Written by this store from a checked address.
  return { ...row, address: storedAddress(row.address), addedAt: fromTime(row.addedAt) };
}
