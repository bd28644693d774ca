/** Removes rows that are needed no more. The table in `docs/operations.md` says how long each table keeps its rows. */
export interface RetentionStore {
  /**
   * One round: the rows of each table that are due at `now` (epoch milliseconds), at most some ten thousand, in batches that commit by
   * themselves. Safe beside another round. Returns how many rows were removed, emptied or booked, by table; tables with none are left out.
   */
  clean(now: number): Promise<ReadonlyMap<string, number>>;
}
