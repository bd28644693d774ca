import { fromTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { AddressBookEntryModel as Row } from '../../../platform/db/generated/models.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { CertificateCheck } from '../../../platform/ports/certificates.ts';
import type { BookedAddress } from '../rules/address-book.ts';
import type { AddressBookStore } from './address-book-store-port.ts';

export function createPrismaAddressBookStore(
  { prisma, query }: Connection,
  certificates: Pick<CertificateCheck, 'address' | 'certifyAddress'>,
): AddressBookStore {
  /** Throws ROW_FORGED for an address that the signer did not certify, or not for this moment. */
  const proved = (row: Row): BookedAddress => {
    const entry = toEntry(row);
    certificates.address(entry, row.certificate);
    return entry;
  };
  const find: AddressBookStore['find'] = async (walletId, address) => {
    const row = await prisma().addressBookEntry.findUnique({
      where: { walletId_address: { walletId, address } },
    });
    return row && proved(row);
  };
  return {
    find,
    list: async (walletId) =>
      (await prisma().addressBookEntry.findMany({ where: { walletId }, orderBy: { id: 'asc' } })).map(proved),
    insert: async (_passed, entry) => {
      const { addedAt, certificate } = await certificates.certifyAddress(entry);
      const [row] = await prisma().addressBookEntry.createManyAndReturn({
        data: [{ ...entry, certificate, addedAt: new Date(addedAt) }],
        skipDuplicates: true,
      });
      return row ? proved(row) : ((await find(entry.walletId, entry.address)) ?? entry);
    },
    rename: async (_passed, id, name) => {
      await prisma().addressBookEntry.updateMany({ where: { id }, data: { name } });
    },
    remove: async (_passed, id, userId) => {
      // SQL: the row that goes away is the answer; `deleteMany` tells only how many, and `delete` throws when there is none.
      const [row] = await query<Row>(
        `DELETE FROM address_book WHERE id = $1 AND user_id = $2
         RETURNING id, user_id AS "userId", wallet_id AS "walletId", address, name, added_at AS "addedAt", certificate`,
        [id, userId],
      );
      return row ? toEntry(row) : null;
    },
  };
}

function toEntry({ certificate: _certificate, ...row }: Row): BookedAddress {
  // Written by this store from a checked address.
  return { ...row, address: storedAddress(row.address), addedAt: fromTime(row.addedAt) };
}
