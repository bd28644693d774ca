import type { Address } from '@tradepost/solana';
import type { BookedAddress } from '../rules/address-book.ts';
import type { Passed } from '../rules/passed.ts';

export interface AddressBookStore {
  /** Oldest first. */
  list(walletId: string): Promise<readonly BookedAddress[]>;
  find(walletId: string, address: Address): Promise<BookedAddress | null>;
  /** Inserts unless the wallet knows the address; then the standing entry comes back, with its age. */
  insert(passed: Passed<'address-add' | 'withdraw'>, entry: BookedAddress): Promise<BookedAddress>;
  rename(passed: Passed<'address-add' | 'withdraw'>, id: string, name: string): Promise<void>;
  /** Removes the person's own entry; null when there is none. */
  remove(
    passed: Passed<'address-remove' | 'withdrawal-stop'>,
    id: string,
    userId: string,
  ): Promise<BookedAddress | null>;
}
