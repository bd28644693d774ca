export type MinerReport = {
  readonly telegramId: bigint;
  readonly userId: string;
  readonly mined: bigint;
  readonly taps: number;
  readonly fastTaps: number;
  readonly pauses: number;
  /** Average pause between taps in a row, and how much the pauses differ from it. */
  readonly pauseMs: number;
  readonly spreadMs: number;
};

/** Questions about points that only an operator's commands ask. */
export interface PointOperations {
  /** Most mined since `since` first. */
  topMiners(since: number, limit: number): Promise<readonly MinerReport[]>;
  /** Miners with at least `leastPauses` pauses whose spread is below `spread` of the average: most taps first. */
  machineLike(leastPauses: number, spread: number, limit: number): Promise<readonly MinerReport[]>;
  /** Addresses that several people withdraw to or keep in their address books, most people first. */
  sharedAddresses(
    limit: number,
  ): Promise<readonly { readonly address: string; readonly telegramIds: readonly bigint[] }[]>;
  /** Writes down that a season is being closed, once; answers the stored row. */
  beginSeason(season: { readonly number: number; readonly carryBps: number; readonly at: number }): Promise<{
    readonly carryBps: number;
    readonly closedAt: number | null;
  }>;
  /** People with points, by id, after `after`. */
  holders(
    after: string,
    limit: number,
  ): Promise<readonly { readonly userId: string; readonly points: bigint }[]>;
  /** Marks the season closed, with the sums that the ledger says. */
  finishSeason(number: number, at: number): Promise<{ readonly people: number; readonly expired: bigint }>;
}
