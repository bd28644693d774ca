import type { Address, Instruction } from '@tradepost/solana';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';

/** The size of a transaction of these instructions on the wire and in locks. */
export type MessageSize = { readonly bytes: number; readonly accounts: number };

/** A packet: Solana's limit for one transaction, signatures included. */
export const PACKET_BYTES = 1_232;
/** Accounts that one transaction may lock. */
export const MAX_LOCKS = 64;

const SIGNATURE = 64;
const KEY = 32;
/** Version, header, blockhash, and the length of the list of lookup tables. */
const FIXED = 1 + 3 + 32 + 1;

/**
 * Exact size of the signed v0 transaction that `payer` pays and whose message takes from `tables` all accounts that it may: all but signers
 * and programs. Locks are the same with and without tables. Source of truth: the v0 message format.
 */
export function messageSize(
  payer: Address,
  instructions: readonly Instruction[],
  tables: readonly LookupTable[] = [],
): MessageSize {
  const accounts = new Set<Address>([payer]);
  const signers = new Set<Address>([payer]);
  const programs = new Set<Address>();
  let bytes = FIXED + compact(instructions.length);
  for (const { programId, accounts: metas, data } of instructions) {
    accounts.add(programId);
    programs.add(programId);
    for (const { address, signer } of metas) {
      accounts.add(address);
      if (signer) signers.add(address);
    }
    bytes += 1 + compact(metas.length) + metas.length + compact(data.length) + data.length;
  }
  let fixed = accounts.size;
  const wanted = new Set([...accounts].filter((address) => !signers.has(address) && !programs.has(address)));
  for (const table of tables) {
    const found = table.entries.filter((entry) => wanted.delete(entry)).length;
    if (found === 0) continue;
    fixed -= found;
    // The table's key, the lengths of both index lists, and an index per account.
    bytes += KEY + 2 + found;
  }
  bytes += compact(fixed) + fixed * KEY + compact(signers.size) + signers.size * SIGNATURE;
  return { bytes, accounts: accounts.size };
}

/** Limit of a transaction of version 1, signatures included. */
export const VERSION_1_BYTES = 4_096;
/** Version, header, mask, blockhash, two counts, and the config: fee, units, loaded bytes. */
const VERSION_1_FIXED = 1 + 3 + 4 + 32 + 2 + 8 + 4 + 4;

/**
 * Size of the signed transaction of version 1 that `payer` pays, with a priority fee. The instructions of the compute budget count in full
 * although they become its config, so it may be some bytes less. Source of truth: SIMD-0385.
 */
export function version1Size(payer: Address, instructions: readonly Instruction[]): MessageSize {
  const accounts = new Set<Address>([payer]);
  const signers = new Set<Address>([payer]);
  let bytes = VERSION_1_FIXED;
  for (const { programId, accounts: metas, data } of instructions) {
    accounts.add(programId);
    for (const { address, signer } of metas) {
      accounts.add(address);
      if (signer) signers.add(address);
    }
    bytes += 4 + metas.length + data.length;
  }
  return { bytes: bytes + accounts.size * KEY + signers.size * SIGNATURE, accounts: accounts.size };
}

/** Bytes of a length in Solana's compact-u16. */
function compact(length: number): number {
  if (length < 0x80) return 1;
  return length < 0x4000 ? 2 : 3;
}
