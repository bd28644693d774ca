import type { AppError } from '../../../core/errors/app-error.ts';
import type { JobName, Jobs } from '../../../platform/ports/job-queue.ts';

/** A job that must be asked for once its transaction commits. Written in the same transaction as the state it is about. */
export type OutboxRow = {
  [N in JobName]: {
    readonly id: string;
    readonly job: N;
    readonly data: Jobs[N];
    /** The job key; unique among undispatched rows. */
    readonly key: string;
    readonly notBefore: number | null;
  };
}[JobName];

export interface OutboxStore {
  /** Adds rows; where an undispatched row has the key already, that one stays and keeps the earlier `notBefore`. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Claims rows that are not dispatched, oldest first, skipping those another relay holds. Call inside `transact`. A row that cannot be
   * read is reported to `onUnreadable`, marked dispatched and left out. It must not hold up the others, and a lost wake-up costs only the
   * sweeper's next round.
   */
  claim(
    limit: number,
    onUnreadable?: (error: AppError<'ROW_INVALID'>) => void,
  ): Promise<readonly OutboxRow[]>;
  markDispatched(ids: readonly string[], at: number): Promise<void>;
  /** Forgets some thousand of the rows dispatched before `before`; returns how many, 0 when none is left. */
  deleteDispatched(before: number): Promise<number>;
}
