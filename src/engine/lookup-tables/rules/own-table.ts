import { type Address, addressFromBytes, type ChainAccount } from '@tradepost/solana';
import { type LookupTable, readLookupTable } from './lookup-table.ts';

/** Addresses that one table holds at most. */
export const TABLE_CAPACITY = 256;

/** A table of the operator's own, as it was written down before it was written to the chain. */
export type OwnTable = {
  readonly address: Address;
  /** Only this key may add to it and close it. */
  readonly authority: Address;
  /** The entry at each index, now or later. Only ever added to. */
  readonly entries: readonly Address[];
  readonly createdAt: number;
  /** Set before it is deactivated: from then on no transaction is built with it. */
  readonly closingAt: number | null;
};

export type TableState =
  /** Every entry that the chain shows is the one written down, as far as entries may be used at that slot. */
  | { readonly kind: 'usable'; readonly table: LookupTable }
  /** Not on the chain, or being closed there: nothing is wrong, but it cannot be used. */
  | { readonly kind: 'absent' }
  /** The chain, or the node that speaks for it, shows other entries or another authority than were written down. */
  | { readonly kind: 'changed' };

const SOME = 1;

/**
 * Compares a table with its stored row. A message names lookup entries by index alone, so a node that lies about them could have a payment
 * signed to a stranger; and so could a row that an attacker changed. Only where both agree is an entry believed. Source of truth: as
 * `readLookupTable` (authority: option tag at byte 21, key from byte 22).
 */
export function ownTableState(own: OwnTable, account: ChainAccount | null, slot: bigint): TableState {
  const table = account === null ? null : readLookupTable(own.address, account, slot);
  if (account === null || table === null) return { kind: 'absent' };
  const { data } = account;
  // A frozen table has no authority any more: it cannot grow.
  const isOurs = data[21] !== SOME || addressFromBytes(data.subarray(22, 54)) === own.authority;
  const all = readLookupTable(own.address, account, MAX_SLOT)?.entries ?? [];
  const agrees =
    all.length <= own.entries.length && all.every((entry, index) => own.entries[index] === entry);
  return isOurs && agrees ? { kind: 'usable', table } : { kind: 'changed' };
}

/** Later than any: every entry counts. */
export const MAX_SLOT = 0xffff_ffff_ffff_fffen;
