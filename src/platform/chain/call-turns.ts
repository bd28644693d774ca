import { AsyncLocalStorage } from 'node:async_hooks';
import { CallerGoneError, callerSignal } from '../caller-limit.ts';
import { HttpStatusError } from '../http-post.ts';
import { CALL_RANKS, type CallRank } from '../ports/call-rank.ts';
import { ALL, createCallCounts } from './call-counts.ts';
import { type CallLimits, createCallLimits } from './call-limits.ts';
import { createCallParts } from './call-parts.ts';

const TICK_MS = 100;
/** A person's call waits no longer than this: another node may be free, and "busy" is an answer. */
const PATIENCE_MS = 6_000;

/** A call that may be made now. How it ends is said once; a call that failed otherwise says nothing. */
export type CallTurn = {
  readonly answered: () => void;
  /** The node answered 429. The call was not served. */
  readonly refused: () => void;
};

export type CallTurns = {
  /**
   * Resolves when the node may be asked. Counts the call. Immediate until the node has a known limit. A person's call that waited six
   * seconds in vain throws HttpStatusError 429, as the node would. One whose caller has gone throws CallerGoneError, and takes no turn.
   */
  take(rank: CallRank, method: string): Promise<CallTurn>;
  /** Counts a call that does not wait: a transaction that is sent. */
  note(method: string): void;
  /** Calls in ten seconds that are asked at most, of all methods; null while no limit is known. */
  limit(method?: string): number | null;
};

type Waiting = {
  readonly method: string;
  readonly since: number;
  readonly caller: AbortSignal | null;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
};

/**
 * The calls of one node, in turns. A node's limit is learnt from its refusals, for all calls and for each method. While one is known, calls
 * wait by rank, so that work without a waiting person is put off first.
 */
export function createCallTurns(
  now: () => number = () => performance.now(),
  later: (work: () => void, ms: number) => unknown = (work, ms) => setTimeout(work, ms).unref(),
): CallTurns {
  const counts = createCallCounts(now);
  const limits = createCallLimits(now, counts);
  const parts = createCallParts(now, counts);
  const waiting = new Map<CallRank, Waiting[]>(CALL_RANKS.map((rank) => [rank, []]));
  let isTicking = false;

  const release = (
    rank: CallRank,
    may: (method: string) => boolean,
    note: (method: string) => void,
  ): void => {
    const rest = stillWaiting(waiting.get(rank) ?? [], may, (method) => {
      counts.addTurn(method, rank);
      note(method);
    });
    waiting.set(rank, rest);
  };
  const grant = (): void => {
    for (const rank of CALL_RANKS) waiting.set(rank, stillWanted(waiting.get(rank) ?? []));
    for (const rank of CALL_RANKS) {
      const may = (method: string) => limits.hasRoom(method, (key, limit) => parts.isDue(key, rank, limit));
      release(rank, may, (method) => parts.note(method, rank));
    }
    for (const rank of CALL_RANKS) {
      const may = (method: string) => limits.hasRoom(method, (key, limit) => parts.isFree(key, rank, limit));
      release(rank, may, (method) => parts.noteFree(method, rank));
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
      const caller = callerSignal();
      if (caller?.aborted === true) return Promise.reject(new CallerGoneError());
      if (!limits.isLimited()) {
        counts.addTurn(method, rank);
        return Promise.resolve(turnAt(now(), method, limits));
      }
      return new Promise((resolve, refuse) => {
        const go = (): void => resolve(turnAt(now(), method, limits));
        waiting.get(rank)?.push({ method, since: now(), caller, go, refuse });
        if (isTicking) grant();
        else tick();
      });
    },
    note: (method) => counts.add(method, 'person'),
    limit: (method = ALL) => limits.limitOf(method),
  };
}

function turnAt(at: number, method: string, limits: CallLimits): CallTurn {
  return {
    answered: () => limits.answered({ method, at }),
    refused: () => limits.refused({ method, at }),
  };
}

/** Takes out, and refuses, those whose caller has gone. */
function stillWanted(queue: readonly Waiting[]): Waiting[] {
  return queue.filter((one) => {
    if (one.caller?.aborted !== true) return true;
    one.refuse(new CallerGoneError());
    return false;
  });
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
