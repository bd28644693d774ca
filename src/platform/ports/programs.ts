import type { Address, Instruction } from '@tradepost/solana';
import type { LaunchPrograms } from '@tradepost/venues';

/** Instructions of the programs every cluster has, as plain data. Pure. Source of truth: the programs' own clients. */
export interface Programs extends LaunchPrograms {
  associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address;
  transferSol(input: {
    readonly from: Address;
    readonly to: Address;
    readonly lamports: bigint;
  }): Instruction;
  /** TransferChecked; under Token-2022 a transfer fee is withheld from `amount` by the program. */
  transferToken(input: {
    readonly source: Address;
    readonly mint: Address;
    readonly destination: Address;
    readonly owner: Address;
    readonly amount: bigint;
    readonly decimals: number;
    readonly tokenProgram: Address;
  }): Instruction;
  /**
   * Moves the transfer fees that are withheld in these Token-2022 accounts to their mint, after which they can be closed. Needs no
   * signature: anybody may.
   */
  harvestWithheldFees(input: { readonly mint: Address; readonly accounts: readonly Address[] }): Instruction;
  /** Takes the lamports that a token account of `owner` holds above its rent; they go to `owner`. None of wrapped SOL has any. */
  withdrawExcess(input: {
    readonly account: Address;
    readonly owner: Address;
    readonly tokenProgram: Address;
  }): Instruction;
  memo(text: string): Instruction;
  computeBudget(input: {
    readonly units: number;
    readonly microLamportsPerUnit: bigint;
  }): readonly Instruction[];
}
