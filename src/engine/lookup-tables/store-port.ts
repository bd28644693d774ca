import type { Address } from '@tradepost/solana';
import type { OwnTable } from './rules/own-table.ts';

/** The operator's own lookup tables, and their entries. Entries are written here before they are on the chain. */
export interface LookupTableStore {
  /** Oldest first, those being closed included. */
  list(): Promise<readonly OwnTable[]>;
  /** False when the address is known. */
  insert(table: OwnTable): Promise<boolean>;
  /** Adds entries behind the first `length`; false when the table is unknown, closing, or has another length by now. */
  append(address: Address, length: number, entries: readonly Address[]): Promise<boolean>;
  /** From now on no transaction is built with it. Keeps the first date when it is closing already. */
  markClosing(address: Address, at: number): Promise<void>;
  /** Forgets a table that is no longer on the chain. */
  remove(address: Address): Promise<void>;
}
