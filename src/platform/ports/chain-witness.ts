import type { Chain } from './chain.ts';

/** The chain as the signer looks at it itself, without trust in the caller. */
export interface ChainWitness extends Pick<Chain, 'probe'> {
  /**
   * The highest processed height that any endpoint has told within the last 20 s, and a slot that is not later than now. Throws
   * CHAIN_UNREACHABLE when none answers.
   */
  newest(): Promise<{ readonly height: bigint; readonly slot: bigint }>;
}
