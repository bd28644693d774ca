/** Says that the tape has changed, by any process. A hint: it may be late, come twice or be lost. */
export interface MarketFeed {
  /** `change` names the newest trade of each market, or trades that a fork took back, by id. Returns the way to stop. */
  listen(change: (change: MarketChange) => void): () => void;
  close(): Promise<void>;
}

export type MarketChange =
  | { readonly kind: 'traded'; readonly newest: ReadonlyMap<number, bigint> }
  | {
      readonly kind: 'retracted';
      readonly trades: readonly { readonly id: bigint; readonly marketId: number }[];
    }
  /** Something else, or an unknown change. */
  | { readonly kind: 'unknown' };
