import { leftAt } from '../../core/time/age.ts';
import type { OutboxRow } from '../../engine/transactions/store/outbox-store-port.ts';
import type { JobsHere } from '../../engine/transactions/use/relay-outbox.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobHandlers, JobName, JobQueue, JobResult } from '../ports/job-queue.ts';
import { runJob } from '../ports/job-queue.ts';

/** Those that the sweeper finds again by the database when they are lost. */
const FOUND_AGAIN: ReadonlySet<JobName> = new Set(['intent.step', 'notice.send']);
const RETRY_MS = 500;
/** A job with a longer wait waits in the queue. */
const LONGEST_DELAY_MS = 2_000;

type LocalJobsDeps = {
  readonly handlers: JobHandlers;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly places: number;
};

/**
 * Carries out jobs of this process's own commits, at most `places` at once, in the order in which they were asked for. A job that throws or
 * asks to come again goes to the queue, which is better at waiting. `stop` resolves when none runs any more; the sweeper takes the jobs
 * that had not begun by then.
 */
export function createLocalJobs(deps: LocalJobsDeps): JobsHere & { stop(): Promise<void> } {
  const { clock } = deps;
  const waiting: OutboxRow[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  function next(): void {
    while (running.size < deps.places) {
      const row = waiting.shift();
      if (row === undefined) return;
      const mine = run(deps, row).finally(() => {
        running.delete(mine);
        next();
      });
      running.add(mine);
    }
  }

  const delayed = createDelayed((row) => {
    waiting.push(row);
    next();
  });

  function begin(row: OutboxRow): void {
    delayed.replace(row);
    const delayMs = row.notBefore === null ? 0 : leftAt(row.notBefore, clock.now());
    if (delayMs > 0) delayed.put(row, delayMs);
    else waiting.push(row);
  }

  return {
    takes: ({ job, notBefore }) =>
      !stopped &&
      FOUND_AGAIN.has(job) &&
      (notBefore === null || (job === 'notice.send' && leftAt(notBefore, clock.now()) <= LONGEST_DELAY_MS)),
    start: (jobs) => {
      if (stopped) return;
      for (const row of jobs) begin(row);
      next();
    },
    stop: async () => {
      stopped = true;
      delayed.clear();
      waiting.splice(0);
      while (running.size > 0) await Promise.all(running);
    },
  };
}

async function run({ handlers, queue }: LocalJobsDeps, { job, data, key }: OutboxRow): Promise<void> {
  const result = await runJob(handlers, job, data).catch(
    (): JobResult => ({ kind: 'again', afterMs: RETRY_MS }),
  );
  if (result.kind === 'done') return;
  // A queue that is away is no loss: the sweeper comes by.
  await queue.add(job, data, { key, delayMs: result.afterMs }).catch(() => undefined);
}

/** Jobs that begin at their time, unless something later of the same intent was asked for meanwhile. */
function createDelayed(due: (row: OutboxRow) => void): {
  put(row: OutboxRow, delayMs: number): void;
  /** Drops the job that waits for the same intent. */
  replace(row: OutboxRow): void;
  clear(): void;
} {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    put: (row, delayMs) => {
      const intentId = intentOf(row);
      const timer = setTimeout(() => {
        timers.delete(intentId);
        due(row);
      }, delayMs);
      timers.set(intentId, timer);
    },
    replace: (row) => {
      const intentId = intentOf(row);
      clearTimeout(timers.get(intentId));
      timers.delete(intentId);
    },
    clear: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** The key that shows whether one job makes another superfluous. */
function intentOf({ id, data }: OutboxRow): string {
  return 'intentId' in data && typeof data.intentId === 'string' ? data.intentId : id;
}
