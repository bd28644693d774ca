import { type Address, addressFromBytes, type ChainAccount, LOOKUP_TABLE_PROGRAM } from '@tradepost/solana';

/** An address lookup table as far as it may be used now: its address, and the entry at each index. */
export type LookupTable = { readonly address: Address; readonly entries: readonly Address[] };

const META_BYTES = 56;
const KEY_BYTES = 32;
const INITIALIZED = 1;
const NEVER = 0xffff_ffff_ffff_ffffn;

/**
 * The entries that a transaction may name at `slot`, or null when the account is no table, or one that is being closed: its
 * entries may be gone when the transaction arrives. Entries appended in the slot itself are not usable yet, so they are left
 * off. Source of truth: solana-sdk `address_lookup_table::state` (tag u32, deactivation u64, last extension u64, first index
 * of that extension u8, authority, addresses from byte 56).
 */
export function readLookupTable(address: Address, account: ChainAccount, slot: bigint): LookupTable | null {
  const { data, owner } = account;
  if (owner !== LOOKUP_TABLE_PROGRAM || data.length < META_BYTES) return null;
  if ((data.length - META_BYTES) % KEY_BYTES !== 0) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) !== INITIALIZED || view.getBigUint64(4, true) !== NEVER) return null;
  const all = (data.length - META_BYTES) / KEY_BYTES;
  const usable = slot > view.getBigUint64(12, true) ? all : Math.min(all, view.getUint8(20));
  return {
    address,
    entries: Array.from({ length: usable }, (_, index) =>
      addressFromBytes(data.subarray(META_BYTES + index * KEY_BYTES, META_BYTES + (index + 1) * KEY_BYTES)),
    ),
  };
}

/** The slot in which the table was deactivated; null while it is in use. */
export function deactivatedAt({ data }: ChainAccount): bigint | null {
  const slot = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(4, true);
  return slot === NEVER ? null : slot;
}
