import type { DeathProbe } from './chain.ts';

/** The chain as the signer looks at it itself, without trust in the caller. */
export interface ChainWitness {
  /**
   * `Chain.probe`, and of `blockhash` (absent or null: not asked) whether that endpoint still takes it in its FINALIZED state. That question comes
   * before the search of history.
   */
  probe(signature: string, round: number, blockhash?: string | null): Promise<WitnessProbe>;
  /** The endpoints that take this blockhash at `processed`; one that is silent is left out. Never throws. */
  takers(blockhash: string): Promise<readonly BlockhashTaker[]>;
  /**
   * The highest processed height that any endpoint has reported within the last 20 s, and a slot that is not later than now. Throws
   * CHAIN_UNREACHABLE when none answers.
   */
  newest(): Promise<{ readonly height: bigint; readonly slot: bigint }>;
}

/** `goneAt`: the finalized slot as of which the endpoint does not take the blockhash; null where it does, or was not asked. */
export type WitnessProbe = DeathProbe & { readonly goneAt: bigint | null };

/** `slot`: as of which it says so. */
export type BlockhashTaker = { readonly endpoint: string; readonly slot: bigint };
