import type { Address, Instruction } from '@tradepost/solana';

/** Instructions and addresses of the programs that every cluster has, as launches need them. Pure. */
export interface LaunchPrograms {
  /** Where Metaplex Token Metadata keeps a mint's record. */
  metadataRecordAddress(mint: Address): Address;
  /** Creates the owner's associated token account unless it exists; an account of another owner there fails. */
  createAssociatedTokenAccount(input: {
    readonly payer: Address;
    readonly owner: Address;
    readonly mint: Address;
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
  /** Closes a token account of `owner`; its lamports go to `owner`. */
  closeTokenAccount(input: {
    readonly account: Address;
    readonly owner: Address;
    readonly tokenProgram: Address;
  }): Instruction;
}
