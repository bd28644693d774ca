/** The cost of some work at the chain's nodes: the number of calls, attempts again included, and of accounts read. */
export type RpcCost = {
  readonly calls: number;
  readonly accounts: number;
  /** Accounts that were known by subscription and needed no call; absent for none. */
  readonly followed?: number;
};

export interface RpcMeter {
  /**
   * Does the work and returns its cost. A call that answers several requests at once counts for the one that made it, so that the sum over
   * all requests is the nodes' total; answers from a cache cost nothing.
   */
  measure<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly cost: RpcCost }>;
}
