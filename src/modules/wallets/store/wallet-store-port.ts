import type { Address } from '@tradepost/solana';
import type { Passed } from '../../guard/rules/passed.ts';
import type { Wallet, WalletSecret } from '../rules/wallet.ts';

export interface WalletStore {
  /**
   * Inserts the wallet and its sealed key together, with the signer's certificate: without one no process believes the row. WALLET_NAME_TAKEN when the person has an undeleted wallet of that name
   * (letter case does not count); `rename` and restoring by `setDeletedAt` throw it too.
   */
  insert(
    passed: Passed<'wallet-make' | 'wallet-import' | 'operator' | 'service'>,
    wallet: Wallet,
    secret: WalletSecret & { readonly certificate?: string },
  ): Promise<void>;
  find(id: string): Promise<Wallet | null>;
  findByAddress(address: Address): Promise<Wallet | null>;
  /** Whose wallets these are, of those that are kept here: the ids of people by address; the treasury has no person. */
  peopleOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, string>>;
  /** A person's wallets, oldest first; deleted ones only when asked. */
  listByUser(userId: string, options?: { readonly deleted?: boolean }): Promise<readonly Wallet[]>;
  /** The service's own wallet that collects fees and pays rewards, or null before the first start. */
  treasury(): Promise<Wallet | null>;
  /** The same, and until this transaction ends no other one passes here: a key is made for one treasury alone. */
  treasuryLocked(): Promise<Wallet | null>;
  rename(passed: Passed<'wallet-rename' | 'wallet-restore'>, id: string, name: string): Promise<void>;
  setDeletedAt(
    passed: Passed<'wallet-delete' | 'wallet-delete-holding' | 'wallet-restore'>,
    id: string,
    deletedAt: number | null,
  ): Promise<void>;
  /** From when on an imported wallet receives, or payouts go to it, with the signer's word for it. Epoch milliseconds. */
  letReceive(
    passed: Passed<'wallet-confirm' | 'payout-wallet'>,
    id: string,
    change: ({ readonly confirmedAt: number } | { readonly payoutFrom: number }) & {
      readonly certificate: string;
    },
  ): Promise<void>;
  /** Takes back changes of the person's wallets that count only after `now`. */
  stopReceiving(
    passed: Passed<'panic' | 'pin-set' | 'pin-change'>,
    userId: string,
    now: number,
  ): Promise<void>;
  /** Read by the vault only. */
  secret(walletId: string): Promise<WalletSecret | null>;
}
