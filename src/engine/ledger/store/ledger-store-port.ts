import type { AccountRef, LedgerTransfer } from '../rules/entry.ts';

/** One entry as it was posted: `accountKey` as in `engine/ledger/rules/entry`. */
export type LedgerLine = { readonly key: string; readonly accountKey: string; readonly amount: bigint };

export interface LedgerStore {
  /**
   * Applies a balanced transfer once: locks its people accounts in id order, inserts, moves the balances. False when the
   * key was applied before. Throws a RangeError when entries do not sum to zero or an account would fall below zero.
   */
  post(transfer: LedgerTransfer): Promise<boolean>;
  /**
   * The same for several transfers, in one step: all of them or, on an error, none. Answers how many were applied; those whose
   * keys were applied before are left alone. Balances are judged after the last one.
   */
  postAll(transfers: readonly LedgerTransfer[]): Promise<number>;
  /** The entries of the transfers with these keys, in any order. */
  entriesOf(keys: readonly string[]): Promise<readonly LedgerLine[]>;
  /** Current balance: stored for people, derived from entries for the house. */
  balance(account: AccountRef): Promise<bigint>;
}
