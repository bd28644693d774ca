/**
 * The copies of the holder's journal. `level`: standbys with each line; they may take the lease. `witnesses`: witnesses with each line.
 * `behind`: the places or names of all others that the holder was given.
 */
export type LeaseCopies = {
  readonly level: readonly string[];
  readonly witnesses: readonly string[];
  readonly behind: readonly string[];
};

/** The lease as the database has it. `leftMs`: until its end, by the database's clock; 0 when it is over. */
export type LeaseRow = LeaseCopies & {
  readonly holder: string;
  readonly epoch: bigint;
  readonly leftMs: number;
};

/** The word which of the signers of one installation signs. Each answer is of one statement; the database's clock alone counts. */
export interface SignerLeases {
  read(): Promise<LeaseRow | null>;
  /**
   * Takes the lease for `mostMs` where there is none, where the last one was this signer's, or where it is over and its holder named this
   * signer level. No copy is level then. Returns the epoch, null when none of these holds.
   */
  take(name: string, mostMs: number): Promise<bigint | null>;
  /** False when the lease is not this signer's any more. */
  renew(name: string, epoch: bigint, mostMs: number): Promise<boolean>;
  /** Names the copies. False when the lease is not this signer's any more, and nothing was changed. */
  saveCopies(name: string, epoch: bigint, copies: LeaseCopies): Promise<boolean>;
  /** Ends the lease now, for a standby to take it; nothing when it is another signer's. */
  release(name: string, epoch: bigint): Promise<void>;
  /** Gives the lease back as `before` has it, over at once; nothing when it is another signer's. */
  putBack(name: string, epoch: bigint, before: LeaseCopies & Pick<LeaseRow, 'holder'>): Promise<void>;
  /** Ends every lease and names this signer the only one that may take it: the operator's word. */
  giveTo(name: string): Promise<void>;
}
