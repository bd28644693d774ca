import type { HealthDay, HealthMark } from '../rules/health-day.ts';

/** The health of each part, minute by minute. */
export interface HealthStore {
  /** Writes all of them or none. A minute that any process wrote before keeps what it has, so that each counts once. */
  write(marks: readonly HealthMark[]): Promise<void>;
  /** The days from the one that `since` is in (epoch milliseconds), oldest first. A day of which nothing was measured is left out. */
  days(since: number): Promise<readonly HealthDay[]>;
}
