/** Above these no rounds are run, no tokens, and no edges at all, are added to the candidate set. */
export type ColumnLimits = {
  readonly rounds: number;
  readonly maxTokens: number;
  readonly maxEdges: number;
};

/** How far each step of the search goes. Wider limits cost time and lose nothing in quality. */
export type Limits = {
  /** Relative gradient at which Newton stops. */
  readonly tolerance: number;
  /** How far the candidate set grows for whatever it gains. */
  readonly columns: ColumnLimits;
  /** How far it grows for gains that a user would notice: stale pools offer many, and fill a smaller set first. */
  readonly materialColumns: ColumnLimits;
  /** Pools tried per drop while pruning. */
  readonly dropTries: number;
  readonly polishRounds: number;
  /** Left-out pools tried per round, and in all. */
  readonly addTries: number;
  readonly maxSwaps: number;
  /** Numbers of equal chunks of the incremental variants. */
  readonly chunks: readonly number[];
};

/**
 * What a quote can afford. Each chunk count of the incremental variants finds pool sets that the others miss (measured:
 * leaving 50 out cost one order in 300 88 bps, leaving 20 out one 16), and exchanges that cannot win cost no solve, so many
 * may be tried (20 instead of 40 cost one order in 300 6 bps, 10 one in 600 121). Four tokens more brought one order in 900
 * 110 bps, cost one in 300 17, and a tenth of the time.
 */
export const LIVE_LIMITS: Limits = {
  tolerance: 1e-6,
  columns: { rounds: 5, maxTokens: 14, maxEdges: 120 },
  materialColumns: { rounds: 10, maxTokens: 30, maxEdges: 300 },
  dropTries: 5,
  polishRounds: 16,
  addTries: 24,
  maxSwaps: 40,
  chunks: [10, 20, 50],
};

/** Offline yardstick: what the same algorithm finds when time does not matter. */
export const REFERENCE_LIMITS: Limits = {
  tolerance: 1e-8,
  columns: { rounds: 10, maxTokens: 40, maxEdges: 400 },
  materialColumns: { rounds: 10, maxTokens: 40, maxEdges: 400 },
  dropTries: 20,
  polishRounds: 40,
  addTries: 40,
  maxSwaps: 100,
  chunks: [10, 20, 50],
};
