/** The lease as the database has it. `leftMs`: until its end, by the database's clock; 0 when it is over. */
export type LeaseRow = {
  readonly holder: string;
  readonly epoch: bigint;
  readonly leftMs: number;
  /** Standbys that have each line of the holder. */
  readonly level: readonly string[];
};

/** The word which of the signers of one installation signs. Each answer is of one statement; the database's clock alone counts. */
export interface SignerLeases {
  read(): Promise<LeaseRow | null>;
  /**
   * Takes the lease for `mostMs` where there is none, where the last one was this signer's, or where it is over and its holder named this
   * signer level. No standby is level then. Returns the epoch, null when none of these holds.
   */
  take(name: string, mostMs: number): Promise<bigint | null>;
  /** False when the lease is not this signer's any more. */
  renew(name: string, epoch: bigint, mostMs: number): Promise<boolean>;
  /** Names the level standbys. False when the lease is not this signer's any more, and nothing was changed. */
  saveLevel(name: string, epoch: bigint, level: readonly string[]): Promise<boolean>;
  /** Ends the lease now, for a standby to take it; nothing when it is another signer's. */
  release(name: string, epoch: bigint): Promise<void>;
  /** Gives the lease back as `before` has it, over at once; nothing when it is another signer's. */
  putBack(name: string, epoch: bigint, before: Pick<LeaseRow, 'holder' | 'level'>): Promise<void>;
  /** Ends every lease and names this signer the only one that may take it: the operator's word. */
  giveTo(name: string): Promise<void>;
}
