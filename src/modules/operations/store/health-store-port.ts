import type { HealthDay, HealthMark } from '../rules/health-day.ts';

/** A role of processes, as they report themselves. */
export type RoleLook = { readonly role: string; readonly isUp: boolean };

/** The health of each part, minute by minute. */
export interface HealthStore {
  /** Writes all of them or none. A minute that any process wrote before keeps what it has, so that each counts once. */
  write(marks: readonly HealthMark[]): Promise<void>;
  /**
   * Whether a process of each of these roles said within the last half minute that it runs, by the database's clock. A role that none ran in
   * for a week is left out.
   */
  roles(names: readonly string[]): Promise<readonly RoleLook[]>;
  /**
   * The minutes of the week before `until` (epoch milliseconds) in which this part was not measured, oldest first. They begin
   * with the first day of that week in which it was.
   */
  missed(part: string, until: number): Promise<readonly number[]>;
  /** The days from the one that `since` is in (epoch milliseconds), oldest first. A day of which nothing was measured is left out. */
  days(since: number): Promise<readonly HealthDay[]>;
}
