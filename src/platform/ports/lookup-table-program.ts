import type { Address, Instruction } from '@tradepost/solana';

/** Instructions of the address lookup table program, as plain data. Pure. The authority pays and gets back. */
export interface LookupTableProgram {
  /** `slot` must be a recent one; the address follows from it and the authority, so the same pair never gives two tables. */
  create(authority: Address, slot: bigint): { readonly table: Address; readonly instruction: Instruction };
  extend(authority: Address, table: Address, entries: readonly Address[]): Instruction;
  deactivate(authority: Address, table: Address): Instruction;
  /** Possible about 513 slots after the deactivation; the rent goes to the authority. */
  close(authority: Address, table: Address): Instruction;
}
