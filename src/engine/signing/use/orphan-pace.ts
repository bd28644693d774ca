import { hasAged } from '../../../core/time/age.ts';

/** Between two looks at the chain for one signature: the first pause, which doubles, and the longest. */
const FIRST_MS = 5_000;
const LONGEST_MS = 20_000;

/** When a signature that the database misses is looked for again. */
export type OrphanPace = {
  /** Those of `orphans` that are due at `now` (epoch milliseconds); each is due again after its pause. */
  due<N extends { readonly signature: string }>(orphans: readonly N[], now: number): readonly N[];
};

/**
 * A signature is decided by blocks, and so by minutes: a look each second would only cost calls. The first look is due at once. A signature
 * that is no orphan any more is forgotten. A clock that was set back makes everything due.
 */
export function createOrphanPace(): OrphanPace {
  let looked = new Map<string, { readonly at: number; readonly pauseMs: number }>();
  return {
    due: (orphans, now) => {
      const next: typeof looked = new Map();
      const due = orphans.filter(({ signature }) => {
        const last = looked.get(signature);
        const isDue = last === undefined || now < last.at || hasAged(last.at, last.pauseMs, now);
        const pauseMs = last === undefined ? FIRST_MS : Math.min(LONGEST_MS, last.pauseMs * 2);
        next.set(signature, isDue ? { at: now, pauseMs } : last);
        return isDue;
      });
      looked = next;
      return due;
    },
  };
}
