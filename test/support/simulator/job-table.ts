import type {
  JobHandlers,
  JobName,
  JobQueue,
  JobResult,
  Jobs,
} from '../../../src/platform/ports/job-queue.ts';
import type { FaultLevels } from './fault-levels.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export type JobWorker = {
  readonly isRunning: () => boolean;
  readonly isAlive: () => boolean;
  readonly handlers: JobHandlers;
};

type Job = { readonly name: JobName; readonly data: unknown; readonly key: string };

const RETRY_MS = 1_000;
const NOBODY_MS = 500;

/**
 * A queue that keeps its promise and no more: at least once when it keeps a job at all. It forgets jobs, hands one job to two
 * processes at a time, and forgets everything when it is flushed.
 */
export function createJobTable(timeline: Timeline, random: Random, levels: () => FaultLevels) {
  const waiting = new Map<string, { job: Job; generation: number }>();
  let generation = 0;
  let workers: readonly JobWorker[] = [];

  function schedule(job: Job, delayMs: number): void {
    generation += 1;
    const mine = generation;
    waiting.set(job.key, { job, generation: mine });
    timeline.after(delayMs, () => {
      if (waiting.get(job.key)?.generation !== mine) return;
      start(job, mine);
    });
  }

  function start(job: Job, mine: number): void {
    const ready = workers.filter((worker) => worker.isRunning());
    if (ready.length === 0) {
      timeline.after(NOBODY_MS, () => {
        if (waiting.get(job.key)?.generation === mine) start(job, mine);
      });
      return;
    }
    waiting.delete(job.key);
    run(random.pick(ready), job);
    if (random.chance(levels().jobTwice)) run(random.pick(ready), job);
  }

  function run(worker: JobWorker, job: Job): void {
    const handler = worker.handlers[job.name] as (data: Jobs[JobName]) => Promise<JobResult>;
    const again = (ms: number): void => {
      if (worker.isAlive() && !waiting.has(job.key)) schedule(job, ms);
    };
    handler(job.data as Jobs[JobName]).then(
      (result) => {
        if (result.kind === 'again') again(result.afterMs);
      },
      () => again(RETRY_MS),
    );
  }

  const queue: JobQueue = {
    add: async (name, data, { key, delayMs = 0 }) => {
      if (random.chance(levels().jobLost)) return;
      const standing = waiting.has(key);
      if (!standing || delayMs === 0) schedule({ name, data, key }, delayMs);
    },
  };
  return {
    queue,
    employ: (all: readonly JobWorker[]): void => {
      workers = all;
    },
    flush: (): void => waiting.clear(),
  };
}
