/** Blocks for which a blockhash is taken. */
export const BLOCKHASH_BLOCKS = 150;
/** Clusters make blocks this fast at most and at least; another figure is a fault of the measure. */
const FASTEST_MS = 100;
const SLOWEST_MS = 800;
/** Nothing was measured yet: as fast as mainnet is to become, so that no promise is too long. */
const UNMEASURED_MS = 200;
/** Two heights say something when they lie this far apart. */
const LEAST_SPAN_MS = 5_000;
const KEPT = 32;

export type BlockTime = {
  /** A node said at `at` (milliseconds that never run back) that the chain is `height` blocks high. */
  hear(height: bigint, at: number): void;
  /** Milliseconds of a block, measured. */
  slotMs(): number;
  /** When the newest height was heard that `slotMs` rests on; null while nothing is measured. */
  measuredAt(): number | null;
  /** Milliseconds for which a new blockhash is taken, measured; rounded down. */
  blockhashLivesMs(): number;
};

/**
 * How long blocks take, measured from heights that are heard anyway. Slots were 400 ms and are not any more: no such figure is typed
 * into the code. A node that is behind, or another one, may say a lower height: it begins no span.
 */
export function createBlockTime(): BlockTime {
  const heard: { readonly height: bigint; readonly at: number }[] = [];
  const slotMs = (): number => {
    const [first, last] = [heard[0], heard.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < LEAST_SPAN_MS) return UNMEASURED_MS;
    const span = last.at - first.at;
    return Math.min(Math.max(span / Number(last.height - first.height), FASTEST_MS), SLOWEST_MS);
  };
  return {
    hear: (height, at) => {
      const last = heard.at(-1);
      if (last !== undefined && (height <= last.height || at <= last.at)) return;
      heard.push({ height, at });
      if (heard.length > KEPT) heard.shift();
    },
    slotMs,
    measuredAt: () => {
      const [first, last] = [heard[0], heard.at(-1)];
      return first !== undefined && last !== undefined && last.at - first.at >= LEAST_SPAN_MS
        ? last.at
        : null;
    },
    blockhashLivesMs: () => Math.floor(slotMs() * BLOCKHASH_BLOCKS),
  };
}
