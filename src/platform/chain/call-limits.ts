import { ALL, type CallCounts } from './call-counts.ts';
import { createKeyLimit, type KeyLimit } from './key-limit.ts';

/** A method with this part of all calls is taken for the one that is limited; else all together are. */
const MAINLY = 0.4;

/** When a call was asked, and of which method. */
export type Asked = { readonly method: string; readonly at: number };

export type CallLimits = {
  readonly isLimited: () => boolean;
  /** Null while none is known. */
  readonly limitOf: (key: string) => number | null;
  /** Whether every limit has room for a call of the method, as seen by `fits`. */
  readonly hasRoom: (method: string, fits: (key: string, limit: number) => boolean) => boolean;
  readonly answered: (asked: Asked) => void;
  readonly refused: (asked: Asked) => void;
};

/** The limits that a node taught, of all calls and of single methods. A refusal is evidence for the one that explains it. */
export function createCallLimits(now: () => number, counts: CallCounts): CallLimits {
  const limits = new Map<string, KeyLimit>();
  const of = (key: string): KeyLimit => {
    const known = limits.get(key) ?? createKeyLimit(key, now, counts);
    limits.set(key, known);
    return known;
  };
  const limitedKey = (method: string): string => {
    // Where the node answers nothing no method is refused for itself.
    if (of(ALL).isSilent()) return ALL;
    const isOwn = (count: (key: string) => number): boolean => count(method) >= count(ALL) * MAINLY;
    return isOwn(counts.served(ALL) > 0 ? counts.served : counts.used) ? method : ALL;
  };
  return {
    isLimited: () => [...limits.values()].some((one) => one.calls() !== null),
    limitOf: (key) => limits.get(key)?.calls() ?? null,
    hasRoom: (method, fits) =>
      [ALL, method].every((key) => limits.get(key)?.hasRoom((limit) => fits(key, limit)) ?? true),
    answered: ({ method, at }) => {
      for (const key of [ALL, method]) of(key).answered(at);
    },
    refused: ({ method, at }) => {
      counts.addRefused(method);
      for (const key of [ALL, method]) of(key).refused(at);
      of(limitedKey(method)).judge();
    },
  };
}
