import type { Address } from '../address/address.ts';
import type { BookedAddress } from '../guard/address-book.ts';

export interface AddressBookStore {
  /** Oldest first. */
  list(walletId: string): Promise<readonly BookedAddress[]>;
  find(walletId: string, address: Address): Promise<BookedAddress | null>;
  /** Inserts unless the wallet knows the address; then the standing entry comes back, with its age. */
  insert(entry: BookedAddress): Promise<BookedAddress>;
  rename(id: string, name: string): Promise<void>;
  /** Removes the person's own entry; null when there is none. */
  remove(id: string, userId: string): Promise<BookedAddress | null>;
}
