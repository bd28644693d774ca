import { WINDOW_MS } from './call-count.ts';
import type { CallCounts } from './call-counts.ts';
import { createRefusalEvidence } from './refusal-evidence.ts';

/** Of the calls that were served before the refusals of a limit, so many are asked from then on. */
const EASED = 0.9;
/** Calls in a window that are asked at least, after any refusals. */
const LEAST_CALLS = 10;
/** Refusals of calls that were under way when a limit was learnt make it more exact for so long. */
const TOGETHER_MS = 1_000;
/** After a window without a limit's refusals it is tried so much higher: the first guess may have been low, and plans change. */
const REGAIN = 0.05;
/** A window that was full makes the next step twice as high, up to this one. */
const HIGHEST_STEP = 1;
const FULL = 0.8;
/** A limit that is found again at the same height is tried less often: after so many windows in the end. */
const LONGEST_PACE = 6;
const SAME_HEIGHT = 0.2;
/** A limit above it holds no one back, and is forgotten. */
const FORGOTTEN_ABOVE = 2_000;
/** Refusals in a row behind a limit, without any answer: the node answers nothing, and teaches no limit now. */
const SILENT_AFTER = 3;
/** How often a silent node is asked. */
const PROBE_MS = 1_000;
/** Behind a silence each answer makes room for so many calls more. */
const ROOM_PER_ANSWER = 2;

type Limit = {
  /** In ten seconds. */
  calls: number;
  /** As it was learnt last. */
  readonly height: number;
  readonly loweredAt: number;
  raisedAt: number;
  /** The windows between two steps up, and the part of the next one. */
  pace: number;
  step: number;
  isFull: boolean;
  /** `silent`: hardly a call was answered before, or none since. `returning`: answers come again, and it rises with each. */
  state: 'kept' | 'silent' | 'returning';
  answers: number;
};

/** The limit of one key: of all methods together, or of one of them. */
export type KeyLimit = {
  /** In ten seconds; null while none is known. */
  readonly calls: () => number | null;
  /** Whether it has room for one more call, as seen by `fits`. A silent node has room for one call a second. */
  readonly hasRoom: (fits: (limit: number) => boolean) => boolean;
  /** A call that was asked at `at` was answered. */
  readonly answered: (at: number) => void;
  /** A call that was asked at `at` was refused, and counted so before. */
  readonly refused: (at: number) => void;
  readonly isSilent: () => boolean;
  /** Learns a limit where the refusals so far are one's. */
  readonly judge: () => void;
};

/**
 * The limit that a node taught for one key. A refusal alone teaches none: see `createRefusalEvidence`. A node that refuses every call is
 * asked once a second, and its limit rises with each answer when it is back.
 */
export function createKeyLimit(key: string, now: () => number, counts: CallCounts): KeyLimit {
  const evidence = createRefusalEvidence(now);
  let limit: Limit | null = null;
  const known = (): Limit | null => {
    if (limit === null || limit.state === 'silent') return limit;
    raise(limit, { at: now(), used: counts.used(key) });
    if (limit.calls > FORGOTTEN_ABOVE) limit = null;
    return limit;
  };
  /** What happened to a call that was asked before the limit was learnt says nothing of the limit. */
  const isOld = (at: number): boolean => limit !== null && at <= limit.loweredAt;
  return {
    calls: () => {
      const found = known();
      return found === null ? null : Math.floor(found.calls);
    },
    hasRoom: (fits) => {
      const found = known();
      if (found === null) return true;
      if (found.state === 'silent') return now() - counts.lastAt(key) >= PROBE_MS;
      const calls = Math.floor(found.calls);
      return counts.used(key) < calls && fits(calls);
    },
    answered: (at) => {
      if (isOld(at)) return;
      evidence.answered(counts.served(key));
      if (limit !== null) noteAnswer(limit, counts.used(key), now());
    },
    refused: (at) => {
      if (limit !== null && isOld(at)) refine(limit, counts.served(key), now());
      else evidence.refused({ served: counts.served(key), used: counts.used(key) });
    },
    isSilent: () => limit?.state === 'silent',
    judge: () => {
      const before = known();
      const served = counts.served(key);
      const isUnanswered = before?.answers === 0 && evidence.row() >= SILENT_AFTER;
      if (!isUnanswered && !evidence.isLimit()) return;
      const isSilent = isUnanswered || eased(served) <= LEAST_CALLS;
      limit = learnt({ at: now(), served, before, isSilent });
      evidence.reset();
    },
  };
}

function learnt(found: {
  readonly at: number;
  readonly served: number;
  readonly before: Limit | null;
  readonly isSilent: boolean;
}): Limit {
  const { at, served, before, isSilent } = found;
  const height = isSilent ? LEAST_CALLS : eased(served);
  const isSame = before !== null && Math.abs(height - before.height) <= before.height * SAME_HEIGHT;
  return {
    calls: height,
    height,
    loweredAt: at,
    raisedAt: at,
    pace: isSame ? Math.min(before.pace * 2, LONGEST_PACE) : 1,
    step: REGAIN,
    isFull: false,
    state: isSilent ? 'silent' : 'kept',
    answers: 0,
  };
}

const eased = (served: number): number => Math.max(LEAST_CALLS, Math.floor(served * EASED));

/** The first refusals can come before the answers of calls that were asked together: the rest of them say how many were served. */
function refine(limit: Limit, served: number, at: number): void {
  if (limit.state !== 'kept' || at - limit.loweredAt > TOGETHER_MS) return;
  limit.calls = Math.min(limit.calls, eased(served));
}

function noteAnswer(limit: Limit, used: number, at: number): void {
  limit.answers += 1;
  if (limit.state === 'silent') {
    limit.state = 'returning';
    limit.pace = 1;
    limit.calls = Math.max(LEAST_CALLS, used);
    limit.raisedAt = at;
  }
  if (limit.state === 'returning') limit.calls += ROOM_PER_ANSWER;
}

function raise(limit: Limit, { at, used }: { readonly at: number; readonly used: number }): void {
  const windows = Math.floor((at - limit.raisedAt) / (WINDOW_MS * limit.pace));
  if (windows > 0) {
    const isFull = windows === 1 && limit.isFull;
    limit.calls *= isFull ? 1 + limit.step : (1 + REGAIN) ** Math.min(windows, 200);
    limit.step = isFull && limit.pace === 1 ? Math.min(limit.step * 2, HIGHEST_STEP) : REGAIN;
    limit.raisedAt += windows * WINDOW_MS * limit.pace;
    limit.isFull = false;
    if (limit.calls > limit.height * (1 + SAME_HEIGHT)) limit.pace = 1;
  }
  limit.isFull ||= used >= limit.calls * FULL;
}
