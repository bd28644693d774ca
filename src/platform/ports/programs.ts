import type { Address } from '../../core/address/address.ts';
import type { Instruction } from '../../core/instruction.ts';

/** Instructions of the programs every cluster has, as plain data. Pure. Source of truth: the programs' own clients. */
export interface Programs {
  associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address;
  /** Where Metaplex Token Metadata keeps a mint's record. */
  metadataRecordAddress(mint: Address): Address;
  /** Creates the owner's associated token account unless it exists; an account of another owner there fails. */
  createAssociatedTokenAccount(input: {
    readonly payer: Address;
    readonly owner: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
  }): Instruction;
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
   * A wrapped-SOL account of `owner` at an address derived from `seed`, funded with `lamports` beyond its rent.
   * It is opened and closed inside one transaction, so an existing wrapped-SOL balance is never touched.
   */
  openWrappedSol(input: {
    readonly owner: Address;
    readonly seed: string;
    readonly lamports: bigint;
    readonly rentLamports: bigint;
  }): {
    readonly account: Address;
    readonly instructions: readonly Instruction[];
  };
  /**
   * Moves the transfer fees that are withheld in these Token-2022 accounts to their mint, after which they can be closed. Needs no
   * signature: anybody may.
   */
  harvestWithheldFees(input: { readonly mint: Address; readonly accounts: readonly Address[] }): Instruction;
  /** Closes a token account of `owner`; its lamports go to `owner`. */
  closeTokenAccount(input: {
    readonly account: Address;
    readonly owner: Address;
    readonly tokenProgram: Address;
  }): Instruction;
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
