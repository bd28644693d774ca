/** Every job the workers know. Data names rows, it never carries money or secrets: the database decides on the work. */
export type Jobs = {
  /** One transition of one intent; re-schedules itself until the intent is final. */
  'intent.step': { readonly intentId: string };
  /** Tells a person about an intent: edits its progress message or sends a result. */
  'notice.send': {
    readonly noticeId: string;
    /** The intent it is about, null for none; absent where the caller does not know. */
    readonly intentId?: string | null;
  };
  /** Hands one mail to the mail server; comes back by itself while the server cannot take it. */
  'mail.send': { readonly mailId: string };
  /** Puts back mails that the queue forgot. */
  'mail.sweep': Record<never, never>;
  /** Collects payable rewards into batches and creates their payout intents. */
  'payout.collect': Record<never, never>;
  /** Checks how far launches came and notifies creators of those that are complete. */
  'launch.watch': Record<never, never>;
  /** Finishes rounds of games that were left between bet and result, and carries convert periods on. */
  'points.settle': Record<never, never>;
  /** Moves the 24 h figures of the markets to now, notes the names of tokens, and computes the trends. */
  'market.stats': Record<never, never>;
  /** Makes and drops partitions of the tape. */
  'market.upkeep': Record<never, never>;
  /** Finds new pools for people's searches, looks at known ones and forgets those that are gone. */
  'pools.refresh': Record<never, never>;
  /** Notices that the program of a venue was replaced, and pauses the venue. */
  'builds.watch': Record<never, never>;
  /** Compares wallets that people look at with the chain, and keeps their worth at 00:00 UTC. */
  'positions.keep': Record<never, never>;
  /** Re-enqueues jobs that the queue forgot: due intents, unsent notices, undispatched outbox rows. */
  'sweep.run': Record<never, never>;
  /** Removes rows, documents and pictures that are needed no more. */
  'retention.run': Record<never, never>;
};

export type JobName = keyof Jobs;

/**
 * A wake-up signal and nothing more: losing every job loses no money and no intent, because the sweeper reads the database.
 */
export interface JobQueue {
  /**
   * Adds a job unless one with the same `key` is still waiting; a job for now pulls a delayed one forward. While one of the
   * key runs, the new one is kept and follows it. `key` holds no colon and is not all digits.
   */
  add<N extends JobName>(
    name: N,
    data: Jobs[N],
    options: { readonly key: string; readonly delayMs?: number },
  ): Promise<void>;
}

/** `again` asks for the same job after a pause: one transition per run, never a long wait inside a handler. */
export type JobResult = { readonly kind: 'done' } | { readonly kind: 'again'; readonly afterMs: number };

export type JobHandlers = { readonly [N in JobName]: (data: Jobs[N]) => Promise<JobResult> };

/** Runs one job by its own handler; the data belong to the job of that name. */
export function runJob<N extends JobName>(handlers: JobHandlers, job: N, data: Jobs[N]): Promise<JobResult> {
  return handlers[job](data);
}

/** The consuming side, for a process with the worker role. */
export interface JobRunner {
  /**
   * Starts taking jobs. At-least-once: a handler may run twice for one job, also at the same time in two processes. A handler
   * that throws is retried with back-off a few times and then left to the sweeper.
   */
  run(handlers: JobHandlers, options: { readonly concurrency: number }): Promise<{ stop(): Promise<void> }>;
}
