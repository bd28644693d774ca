/** A process's own row in the database. */
export interface Heartbeat {
  /**
   * Writes that this process lives, durably, and returns the database's clock at that moment, in epoch milliseconds. Throws
   * DATABASE_UNREACHABLE, DATABASE_FULL, DATABASE_BUSY or DATABASE_READ_ONLY.
   */
  readonly beat: () => Promise<number>;
  /** Takes its row back: it ended on purpose. */
  leave(): Promise<void>;
}
