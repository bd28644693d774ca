import { type CallCount, createCallCount, WINDOW_MS } from './call-count.ts';

/** So many refusals without an answer between them are a limit. Chance at 1 % makes three once in a million calls. */
const IN_A_ROW = 3;
/** The same far below the answers of before: a limit would have shown itself there. */
const IN_A_ROW_BELOW = 6;
/** Spread over a window it takes so many, and this part of all calls. Fewer cost less than a limit would, which holds back a tenth. */
const IN_A_WINDOW = 5;
const PART_OF_CALLS = 0.1;
/** A count with this part of the most that was answered in a window is near to it. */
const NEAR = 0.8;
/** The most that was answered in a window is remembered for so many windows. */
const REMEMBERED = 6;

export type RefusalEvidence = {
  /** A call was answered; `served` were in the last ten seconds. */
  answered(served: number): void;
  /** A call was answered 429; of those of the last ten seconds `used` were asked, and `served` were not refused. */
  refused(calls: { readonly served: number; readonly used: number }): void;
  /** Whether the refusals since the last `reset` are a limit's. */
  isLimit(): boolean;
  /** Refusals without an answer between them. */
  row(): number;
  reset(): void;
};

/** What the refusals of one node say of all calls, or of those of one method: a limit of calls, or chance. */
export function createRefusalEvidence(now: () => number): RefusalEvidence {
  const most = createMost(now);
  let row = 0;
  let isNear = true;
  let spread: CallCount = createCallCount(now);
  let usedAtLast = 0;
  return {
    answered: (served) => {
      row = 0;
      most.note(served);
    },
    refused: ({ served, used }) => {
      isNear = served >= most.get() * NEAR;
      row += 1;
      if (isNear) spread.add(1);
      usedAtLast = used;
    },
    isLimit: () => {
      if (row >= (isNear ? IN_A_ROW : IN_A_ROW_BELOW)) return true;
      const found = spread.sum();
      return found >= IN_A_WINDOW && found >= usedAtLast * PART_OF_CALLS;
    },
    row: () => row,
    reset: () => {
      row = 0;
      spread = createCallCount(now);
    },
  };
}

/** The greatest number noted in the last minute. */
function createMost(now: () => number): {
  readonly note: (value: number) => void;
  readonly get: () => number;
} {
  const windows = new Map<number, number>();
  const current = (): number => Math.floor(now() / WINDOW_MS);
  return {
    note: (value) => {
      const at = current();
      windows.set(at, Math.max(value, windows.get(at) ?? 0));
      for (const old of windows.keys()) if (old <= at - REMEMBERED) windows.delete(old);
    },
    get: () => {
      const oldest = current() - REMEMBERED;
      return [...windows].reduce((best, [at, value]) => (at > oldest ? Math.max(best, value) : best), 0);
    },
  };
}
