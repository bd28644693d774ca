/** What some work asked of the chain's nodes: the number of calls, attempts again included, and of accounts read. */
export type RpcCost = {
  readonly calls: number;
  readonly accounts: number;
  /** Accounts that were known by subscription and needed no call; absent for none. */
  readonly followed?: number;
};

export interface RpcMeter {
  /**
   * Does the work and says what it cost. A call that answers several requests at once counts for the one that made it, so
   * that the sum over all requests is what the nodes were asked; what a cache knew costs nothing.
   */
  measure<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly cost: RpcCost }>;
}
