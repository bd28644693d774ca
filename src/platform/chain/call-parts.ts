import { CALL_RANKS, type CallRank } from '../ports/call-rank.ts';
import { WINDOW_MS } from './call-count.ts';
import { ALL, type CallCounts } from './call-counts.ts';

/** Part of a node's limit up to which a rank may fill a window. The rest above is for those before it. */
const UP_TO: Readonly<Record<CallRank, number>> = { person: 1, order: 0.85, tape: 0.7, upkeep: 0.5 };
/**
 * Part of a node's limit that a rank gets in any case while it asks, one call after another over the window. People who ask all the time do not
 * stop the tape, and their bursts leave no order without a look for a window.
 */
const AT_LEAST: Readonly<Record<CallRank, number>> = { person: 0, order: 0.2, tape: 0.15, upkeep: 0.05 };
/**
 * A rank fills its part of a window evenly, behind a first burst of this part of the limit. Calls that went out at once end at once, and until
 * then the whole window would be shut for people.
 */
const BURST: Readonly<Record<CallRank, number>> = { person: 1, order: 0.5, tape: 0.25, upkeep: 0.25 };

/** The part of each rank, whose calls are granted one after another over the window, and the room beside the parts. */
export function createCallParts(now: () => number, counts: CallCounts) {
  const last = new Map<string, number>();
  const pace = createPace(now);
  const nameOf = (key: string, rank: CallRank): string => `${key} part of ${rank}`;
  const callsOf = (rank: CallRank, limit: number): number => Math.floor(limit * AT_LEAST[rank]);
  /** Calls that the parts of other ranks still have for those that ask. */
  const keptFor = (key: string, rank: CallRank, limit: number): number =>
    CALL_RANKS.reduce((sum, other) => {
      if (other === rank || counts.used(key, other) === 0) return sum;
      return sum + Math.max(0, callsOf(other, limit) - counts.of(nameOf(key, other)).sum());
    }, 0);
  return {
    /** Whether the rank's own part has a call for it now. */
    isDue: (key: string, rank: CallRank, limit: number): boolean => {
      const calls = callsOf(rank, limit);
      const before = last.get(nameOf(key, rank)) ?? Number.NEGATIVE_INFINITY;
      return calls > 0 && now() - before >= WINDOW_MS / calls;
    },
    note: (method: string, rank: CallRank): void => {
      for (const key of [ALL, method]) {
        counts.of(nameOf(key, rank)).add(1);
        last.set(nameOf(key, rank), now());
      }
    },
    noteFree: (method: string, rank: CallRank): void => {
      for (const key of [ALL, method]) pace.took(key, rank);
    },
    /** Whether the rank has room in the window beside the parts of the others. */
    isFree: (key: string, rank: CallRank, limit: number): boolean => {
      const used = counts.used(key);
      if (!pace.allows(key, rank, limit)) return false;
      return used < limit * UP_TO[rank] && used + keptFor(key, rank, limit) < limit;
    },
  };
}

/** How many calls of a rank may go out at this moment, by key; people's are never held back by it. */
function createPace(now: () => number) {
  const buckets = new Map<string, { calls: number; at: number }>();
  const nameOf = (key: string, rank: CallRank): string => `${key} ${rank}`;
  return {
    allows: (key: string, rank: CallRank, limit: number): boolean => {
      if (rank === 'person') return true;
      const at = now();
      const most = Math.max(1, limit * BURST[rank]);
      const bucket = buckets.get(nameOf(key, rank)) ?? { calls: most, at };
      const more = ((at - bucket.at) / WINDOW_MS) * limit * UP_TO[rank];
      const calls = Math.min(most, bucket.calls + more);
      buckets.set(nameOf(key, rank), { calls, at });
      return calls >= 1;
    },
    took: (key: string, rank: CallRank): void => {
      const bucket = buckets.get(nameOf(key, rank));
      if (bucket !== undefined) bucket.calls -= 1;
    },
  };
}
