import { AsyncLocalStorage } from 'node:async_hooks';
import { HttpStatusError } from '../http-post.ts';
import { CALL_RANKS, type CallRank } from '../ports/call-rank.ts';
import { type CallCount, createCallCount, WINDOW_MS } from './call-count.ts';

/** Part of a node's limit up to which a rank may fill a window. The rest above is for those before it. */
const UP_TO: Readonly<Record<CallRank, number>> = { person: 1, order: 0.85, tape: 0.7, upkeep: 0.5 };
/**
 * Part of a node's limit that a rank gets in any case while it asks, one call after another over the window. People who ask all the time do not
 * stop the tape, and their bursts leave no order without a look for a window.
 */
const AT_LEAST: Readonly<Record<CallRank, number>> = { person: 0, order: 0.2, tape: 0.15, upkeep: 0.05 };
/** Of the calls that were served before a refusal, so many are asked from then on. */
const EASED = 0.9;
/** A method with this part of all calls is taken for the one that is limited; else all together are. */
const MAINLY = 0.4;
/** Calls in a window that are asked at least, after any refusals. */
const LEAST_CALLS = 10;
/** Refusals that come together are one. */
const TOGETHER_MS = 1_000;
/** After each window without a refusal the limit is tried so much higher: the first guess may have been low, and plans change. */
const REGAIN = 1.05;
/** A limit above it holds no one back, and is forgotten. */
const FORGOTTEN_ABOVE = 2_000;
const TICK_MS = 100;
/** A person's call waits no longer than this: another node may be free, and "busy" is an answer. */
const PATIENCE_MS = 6_000;

const ALL = '*';

export type CallTurns = {
  /**
   * Resolves when the node may be asked. Counts the call. Immediate until the node has refused one for its number. A person's call that
   * waited six seconds in vain throws HttpStatusError 429, as the node would.
   */
  take(rank: CallRank, method: string): Promise<void>;
  /** Counts a call that does not wait: a transaction that is sent. */
  note(method: string): void;
  /** The node answered 429. The call was not served. */
  refused(method: string): void;
  /** Calls in ten seconds that are asked at most, of all methods; null while no limit is known. */
  limit(method?: string): number | null;
};

type Waiting = {
  readonly method: string;
  readonly since: number;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
};
type Limit = { calls: number; raisedAt: number; readonly loweredAt: number };

/**
 * The calls of one node, in turns. A node's limit is learnt from its refusals, for all calls and for each method. While one is known, calls
 * wait by rank, so that work without a waiting person is put off first.
 */
export function createCallTurns(
  now: () => number = () => performance.now(),
  later: (work: () => void, ms: number) => unknown = (work, ms) => setTimeout(work, ms).unref(),
): CallTurns {
  const counts = createCounts(now);
  const book = createLimitBook(now, counts);
  const parts = createParts(now, counts);
  const waiting = new Map<CallRank, Waiting[]>(CALL_RANKS.map((rank) => [rank, []]));
  let isTicking = false;

  const release = (
    rank: CallRank,
    may: (method: string) => boolean,
    note: (method: string) => void,
  ): void => {
    const rest = stillWaiting(waiting.get(rank) ?? [], may, (method) => {
      counts.add(method, rank, 1);
      note(method);
    });
    waiting.set(rank, rest);
  };
  const grant = (): void => {
    for (const rank of CALL_RANKS) {
      const may = (method: string) => book.hasRoom(method, (key, limit) => parts.isDue(key, rank, limit));
      release(rank, may, (method) => parts.note(method, rank));
    }
    for (const rank of CALL_RANKS) {
      const may = (method: string) => book.hasRoom(method, (key, limit) => parts.isFree(key, rank, limit));
      release(rank, may, () => undefined);
    }
    endPatience(waiting.get('person') ?? [], now());
  };
  const tick = (): void => {
    grant();
    isTicking = [...waiting.values()].some((queue) => queue.length > 0);
    if (isTicking) later(tick, TICK_MS);
  };

  return {
    take: (rank, method) => {
      if (!book.isLimited()) {
        counts.add(method, rank, 1);
        return Promise.resolve();
      }
      return new Promise((go, refuse) => {
        waiting.get(rank)?.push({ method, since: now(), go, refuse });
        if (isTicking) grant();
        else tick();
      });
    },
    note: (method) => counts.add(method, 'person', 1),
    refused: book.refused,
    limit: (method = ALL) => book.limitOf(method),
  };
}

/** Lets calls go for as long as `may` says so, and returns the rest. One that may not go lets others pass: their method may have room. */
function stillWaiting(
  queue: readonly Waiting[],
  may: (method: string) => boolean,
  granted: (method: string) => void,
): Waiting[] {
  const full = new Set<string>();
  return queue.filter((one) => {
    if (full.has(one.method)) return true;
    if (!may(one.method)) {
      full.add(one.method);
      return true;
    }
    granted(one.method);
    one.go();
    return false;
  });
}

/** Refuses, and takes out, those at the front that have waited long enough. */
function endPatience(people: Waiting[], at: number): void {
  while (people[0] !== undefined && at - people[0].since >= PATIENCE_MS)
    people.shift()?.refuse(new HttpStatusError(429, null));
}

type Counts = {
  /** The calls under a name in the last ten seconds. */
  readonly of: (name: string) => CallCount;
  readonly used: (key: string, rank?: CallRank) => number;
  readonly add: (method: string, rank: CallRank, calls: number) => void;
};

/** The calls of the last ten seconds, by method and by rank. Keys are methods, and one for all of them. */
function createCounts(now: () => number): Counts {
  const counts = new Map<string, CallCount>();
  const of = (name: string): CallCount => {
    const known = counts.get(name) ?? createCallCount(now);
    counts.set(name, known);
    return known;
  };
  return {
    of,
    used: (key, rank) => of(rank === undefined ? key : `${key} ${rank}`).sum(),
    add: (method, rank, calls) => {
      for (const key of [ALL, method]) {
        of(key).add(calls);
        of(`${key} ${rank}`).add(calls);
      }
    },
  };
}

/** The part of each rank, whose calls are granted one after another over the window, and the room beside the parts. */
function createParts(now: () => number, counts: Counts) {
  const last = new Map<string, number>();
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
    /** Whether the rank has room in the window beside the parts of the others. */
    isFree: (key: string, rank: CallRank, limit: number): boolean => {
      const used = counts.used(key);
      return used < limit * UP_TO[rank] && used + keptFor(key, rank, limit) < limit;
    },
  };
}

/** The limits that the node taught, of all calls and of single methods. */
function createLimitBook(now: () => number, counts: Counts) {
  const limits = new Map<string, Limit>();
  const limitOf = (key: string): number | null => {
    const limit = limits.get(key);
    if (limit === undefined) return null;
    const at = now();
    const windows = Math.floor((at - limit.raisedAt) / WINDOW_MS);
    if (windows > 0) {
      limit.calls *= REGAIN ** Math.min(windows, 200);
      limit.raisedAt += windows * WINDOW_MS;
    }
    if (limit.calls <= FORGOTTEN_ABOVE) return Math.floor(limit.calls);
    limits.delete(key);
    return null;
  };
  const servedOf = (key: string): number => counts.used(key) - counts.of(`${key} refused`).sum();
  return {
    isLimited: () => limits.size > 0,
    limitOf,
    /** Whether every limit has room for it, as seen by `fits`. */
    hasRoom: (method: string, fits: (key: string, limit: number) => boolean): boolean =>
      [ALL, method].every((key) => {
        const limit = limitOf(key);
        return limit === null || (counts.used(key) < limit && fits(key, limit));
      }),
    refused: (method: string): void => {
      for (const key of [ALL, method]) counts.of(`${key} refused`).add(1);
      const [all, own] = [servedOf(ALL), servedOf(method)];
      const key = own >= all * MAINLY ? method : ALL;
      const known = limits.get(key);
      const at = now();
      if (known !== undefined && at - known.loweredAt < TOGETHER_MS) return;
      const calls = Math.max(LEAST_CALLS, Math.floor((key === ALL ? all : own) * EASED));
      limits.set(key, { calls, raisedAt: at, loweredAt: at });
    },
  };
}

const turns = new Map<string, CallTurns>();
const underWay = new AsyncLocalStorage<CallRank>();

/** One per address and process: every part of the program that asks this node takes its turn there. */
export function turnsOf(url: string): CallTurns {
  const known = turns.get(url) ?? createCallTurns();
  turns.set(url, known);
  return known;
}

/** Does work whose calls to the nodes have this rank, and those of what it begins. */
export function ranked<T>(rank: CallRank, work: () => T): T {
  return underWay.run(rank, work);
}

/** The rank of the work that is under way; a person's where none was named. */
export function rankNow(): CallRank {
  return underWay.getStore() ?? 'person';
}
