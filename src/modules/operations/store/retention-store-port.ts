/** Removes rows that nobody needs any more. The table in `docs/operations.md` says how long each table keeps its rows. */
export interface RetentionStore {
  /**
   * One round: of each table what is due at `now` (epoch milliseconds), at most some ten thousand rows, in batches that
   * commit by themselves. Safe beside another round. Returns how many rows were removed, emptied or booked, by table;
   * tables with none are left out.
   */
  clean(now: number): Promise<ReadonlyMap<string, number>>;
}
