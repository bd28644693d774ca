/** The nodes' answers about a blockhash that a stranger's transaction names. Throws CHAIN_UNREACHABLE where no node answers. */
export interface BlockhashLooks {
  /** Whether any endpoint takes the blockhash at `processed`, and the slot as of which that endpoint answered. */
  known(blockhash: string): Promise<{ readonly isKnown: boolean; readonly slot: bigint }>;
  /** One endpoint's block height at `processed`, as of `minSlot` or later. `round` picks the endpoint, as in `Chain.probe`. */
  height(
    round: number,
    minSlot: bigint,
  ): Promise<{ readonly endpoint: string; readonly endpoints: number; readonly height: bigint }>;
}
