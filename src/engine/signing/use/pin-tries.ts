import { AppError } from '../../../core/errors/app-error.ts';
import { isYoung } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { JournalRecord } from '../rules/record.ts';

const WINDOW_MS = 3_600_000;
/** More than the database's own rule ever lets through in an hour: five, then one per growing lock. */
const MOST_WRONG = 20;
/** People remembered; the oldest are forgotten first. */
const MOST_PEOPLE = 100_000;

/**
 * Wrong PINs per person and hour in the signer's journal, behind the count in the database. A writer of the database could set
 * that one back after each try and go through the million PINs; this one outlives a restart of the signer too.
 */
export type PinTries = {
  /** Counts a try as wrong until `wasRight`, and is written down before it resolves. Throws PIN_LOCKED, JOURNAL_FULL. */
  take(userId: string): Promise<void>;
  wasRight(userId: string): Promise<void>;
  /** Takes in a line of the journal that was written before this process began. */
  apply(record: Pick<JournalRecord, 'at' | 'entry'>): void;
};

export function createPinTries({
  clock,
  write,
}: {
  readonly clock: Clock;
  readonly write: (entry: WritableEntry) => Promise<unknown>;
}): PinTries {
  const wrong = new Map<string, readonly number[]>();
  const lately = (userId: string): readonly number[] => {
    const now = clock.now();
    return (wrong.get(userId) ?? []).filter((at) => isYoung(at, WINDOW_MS, now));
  };
  const count = (userId: string, at: number): void => {
    const times = lately(userId);
    wrong.delete(userId);
    wrong.set(userId, [...times, at]);
    const [first] = wrong.keys();
    if (wrong.size > MOST_PEOPLE && first !== undefined) wrong.delete(first);
  };
  return {
    take: async (userId) => {
      const times = lately(userId);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= MOST_WRONG) {
        throw new AppError('PIN_LOCKED', { until: oldest + WINDOW_MS });
      }
      count(userId, clock.now());
      await write({ kind: 'pin-wrong', user: userId });
    },
    wasRight: async (userId) => {
      await write({ kind: 'pin-right', user: userId });
      wrong.delete(userId);
    },
    apply: ({ at, entry }) => {
      if (entry.kind === 'pin-wrong') count(entry.user, at);
      if (entry.kind === 'pin-right') wrong.delete(entry.user);
    },
  };
}
