import type { CallRank } from '../ports/call-rank.ts';
import { type CallCount, createCallCount } from './call-count.ts';

/** The key of all methods together; every other key is a method. */
export const ALL = '*';

export type CallCounts = {
  /** The calls under a name in the last ten seconds. */
  readonly of: (name: string) => CallCount;
  readonly used: (key: string, rank?: CallRank) => number;
  /** Of those used, the calls that were not refused. Some may still be under way. */
  readonly served: (key: string) => number;
  readonly add: (method: string, rank: CallRank) => void;
  /** The same for a call that had a turn. */
  readonly addTurn: (method: string, rank: CallRank) => void;
  readonly addRefused: (method: string) => void;
  /** The moment of the last turn, as the clock has it; minus infinity before the first. */
  readonly lastAt: (key: string) => number;
};

/** The calls to a node in the last ten seconds, by method and by rank. */
export function createCallCounts(now: () => number): CallCounts {
  const counts = new Map<string, CallCount>();
  const last = new Map<string, number>();
  const of = (name: string): CallCount => {
    const known = counts.get(name) ?? createCallCount(now);
    counts.set(name, known);
    return known;
  };
  const add = (method: string, rank: CallRank): void => {
    for (const key of [ALL, method]) {
      of(key).add(1);
      of(`${key} ${rank}`).add(1);
    }
  };
  return {
    of,
    used: (key, rank) => of(rank === undefined ? key : `${key} ${rank}`).sum(),
    served: (key) => Math.max(0, of(key).sum() - of(`${key} refused`).sum()),
    add,
    addTurn: (method, rank) => {
      add(method, rank);
      for (const key of [ALL, method]) last.set(key, now());
    },
    addRefused: (method) => {
      for (const key of [ALL, method]) of(`${key} refused`).add(1);
    },
    lastAt: (key) => last.get(key) ?? Number.NEGATIVE_INFINITY,
  };
}
