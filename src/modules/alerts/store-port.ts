import type { Alert } from './rules/alert.ts';

/** Price alerts. */
export interface AlertStore {
  /** The alert of this key where there is one, else `alert` as it was stored. */
  insert(alert: Alert): Promise<Alert>;
  find(id: string): Promise<Alert | null>;
  /** A person's OPEN alerts, oldest first. */
  listOpen(userId: string): Promise<readonly Alert[]>;
  countOpen(userId: string): Promise<number>;
  /** Everybody's OPEN alerts that end after `now`. */
  allOpen(now: number): Promise<readonly Alert[]>;
  /** Writes `alert` where the row's version is the one before its own. False, and nothing is written, otherwise. */
  replace(alert: Alert): Promise<boolean>;
  /** Sets OPEN alerts EXPIRED whose time is over, and answers with them. */
  expire(now: number): Promise<readonly Alert[]>;
}
