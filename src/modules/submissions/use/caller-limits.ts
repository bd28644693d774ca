import { hasAged } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { isFinal } from '../rules/submission.ts';
import type { SubmissionStore } from '../store-port.ts';

/** The limits of one caller's submissions under way and of its vain tries, counted in this process alone. */
export type CallerLimits = {
  /** Whether a caller without a key has a free place. */
  readonly hasPlace: (caller: string) => Promise<boolean>;
  readonly tookPlace: (caller: string, signature: string) => void;
  /** Whether so many of the caller's transactions were refused by a simulation that no more is run now. */
  readonly isTired: (caller: string) => boolean;
  readonly refused: (caller: string) => void;
};

/** Under way at once, of a caller without a key. */
export const MOST_WITHOUT_KEY = 10;
const MOST_REFUSED = 10;
const REFUSED_WITHIN_MS = 60_000;
const MOST_CALLERS = 10_000;

/** At most 10,000 callers: the one that was not seen for the longest time is forgotten first. */
export function createCallerLimits({
  submissions,
  clock,
}: {
  readonly submissions: Pick<SubmissionStore, 'find'>;
  readonly clock: Clock;
}): CallerLimits {
  const places = new Map<string, readonly string[]>();
  const refusals = new Map<string, readonly number[]>();
  const recent = (caller: string): readonly number[] =>
    (refusals.get(caller) ?? []).filter((at) => !hasAged(at, REFUSED_WITHIN_MS, clock.now()));
  const isUnderWay = async (signature: string): Promise<boolean> => {
    const found = await submissions.find(signature);
    return found !== null && !isFinal(found);
  };
  return {
    hasPlace: async (caller) => {
      const taken = places.get(caller) ?? [];
      if (taken.length < MOST_WITHOUT_KEY) return true;
      const under = await Promise.all(taken.map(isUnderWay));
      const left = taken.filter((_, index) => under[index] === true);
      keep(places, caller, left);
      return left.length < MOST_WITHOUT_KEY;
    },
    tookPlace: (caller, signature) => keep(places, caller, [...(places.get(caller) ?? []), signature]),
    isTired: (caller) => recent(caller).length >= MOST_REFUSED,
    refused: (caller) => keep(refusals, caller, [...recent(caller), clock.now()]),
  };
}

/** The last one that was written is the youngest. */
function keep<T>(of: Map<string, T>, caller: string, value: T): void {
  of.delete(caller);
  of.set(caller, value);
  const [oldest] = of.keys();
  if (of.size > MOST_CALLERS && oldest !== undefined) of.delete(oldest);
}
