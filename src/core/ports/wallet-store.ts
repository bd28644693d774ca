import type { Address } from '../address/address.ts';
import type { Wallet, WalletSecret } from '../wallets/wallet.ts';

export interface WalletStore {
  /**
   * Inserts the wallet and its sealed key together. WALLET_NAME_TAKEN when the person has an undeleted wallet of that name
   * (letter case does not count); `rename` and restoring by `setDeletedAt` throw it too.
   */
  insert(wallet: Wallet, secret: WalletSecret): Promise<void>;
  find(id: string): Promise<Wallet | null>;
  findByAddress(address: Address): Promise<Wallet | null>;
  /** Whose wallets these are, of those that are kept here: the ids of people by address; the treasury is nobody's. */
  peopleOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, string>>;
  /** A person's wallets, oldest first; deleted ones only when asked. */
  listByUser(userId: string, options?: { readonly deleted?: boolean }): Promise<readonly Wallet[]>;
  /** The service's own wallet that collects fees and pays rewards, or null before the first start. */
  treasury(): Promise<Wallet | null>;
  rename(id: string, name: string): Promise<void>;
  setDeletedAt(id: string, deletedAt: number | null): Promise<void>;
  /** Read by the vault only. */
  secret(walletId: string): Promise<WalletSecret | null>;
}
