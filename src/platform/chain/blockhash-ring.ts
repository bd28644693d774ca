import type { Blockhash } from '../ports/chain.ts';
import { BLOCKHASH_BLOCKS, type BlockTime } from './block-time.ts';

/** Half the life of a blockhash: a transaction with an aged one has as many blocks left, or somewhat more. */
const HALF_LIFE = BigInt(BLOCKHASH_BLOCKS / 2);
/** An attempt has at least this long to land, however fast the blocks are. */
const LEAST_LIFE_MS = 15_000;
const KEPT = 32;

type Heard = Omit<Blockhash, 'livesMs'>;

/** Blockhashes that were heard, the oldest first. */
export type BlockhashRing = {
  hear(newest: Heard): void;
  /**
   * Of those heard, with `newest`, the one that ends first and still has half a life and fifteen seconds before it, as blocks were
   * measured. `newest` where nothing was measured, or none is older. With `leastBlocks` the one that ends first and is taken for that
   * many blocks more; 150 and above give `newest`.
   */
  aged(newest: Heard, leastBlocks?: bigint): Heard;
};

export function createBlockhashRing(time: Pick<BlockTime, 'slotMs' | 'measuredAt'>): BlockhashRing {
  let heard: readonly Heard[] = [];
  return {
    hear: (newest) => {
      if (heard.some(({ blockhash }) => blockhash === newest.blockhash)) return;
      heard = [...heard, newest].slice(-KEPT);
    },
    aged: (newest, leastBlocks) => {
      if (leastBlocks === undefined && time.measuredAt() === null) return newest;
      const height = newest.lastValidBlockHeight - BigInt(BLOCKHASH_BLOCKS);
      const wanted = BigInt(Math.ceil(LEAST_LIFE_MS / time.slotMs()));
      const least = height + (leastBlocks ?? (wanted > HALF_LIFE ? wanted : HALF_LIFE));
      return heard
        .filter(({ lastValidBlockHeight }) => lastValidBlockHeight >= least)
        .reduce(
          (first, one) => (one.lastValidBlockHeight < first.lastValidBlockHeight ? one : first),
          newest,
        );
    },
  };
}
