import { AppError } from '../../core/errors/app-error.ts';
import type { Clock } from '../../core/ports/clock.ts';

const WINDOW_MS = 3_600_000;
/** More than the database's own rule ever lets through in an hour: five, then one per growing lock. */
const MOST_WRONG = 20;
/** People remembered; the oldest are forgotten first. */
const MOST_PEOPLE = 100_000;

/**
 * Wrong PINs per person and hour in the signer's memory, behind the count in the database. Somebody who can write the database
 * could set that one back after each try and go through the million PINs; this one they cannot.
 */
export type PinTries = {
  /** Counts a try as wrong until `wasRight`. Throws PIN_LOCKED. */
  take(userId: string): void;
  wasRight(userId: string): void;
};

export function createPinTries(clock: Clock): PinTries {
  const wrong = new Map<string, readonly number[]>();
  return {
    take: (userId) => {
      const now = clock.now();
      const times = (wrong.get(userId) ?? []).filter((at) => now - at < WINDOW_MS);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= MOST_WRONG) {
        throw new AppError('PIN_LOCKED', { until: oldest + WINDOW_MS });
      }
      wrong.delete(userId);
      wrong.set(userId, [...times, now]);
      const [first] = wrong.keys();
      if (wrong.size > MOST_PEOPLE && first !== undefined) wrong.delete(first);
    },
    wasRight: (userId) => void wrong.delete(userId),
  };
}
