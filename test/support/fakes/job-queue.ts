import type {
  JobHandlers,
  JobName,
  JobQueue,
  JobResult,
  Jobs,
} from '../../../src/platform/ports/job-queue.ts';
import type { fakeClock } from './clock.ts';

export type FakeJob = {
  readonly name: JobName;
  readonly data: unknown;
  readonly key: string;
  readonly dueAt: number;
};

export type FakeJobQueue = JobQueue & {
  /** Every job that was accepted, in order, also after it ran. */
  readonly added: readonly FakeJob[];
  /** Jobs that have not run yet. */
  readonly waiting: readonly FakeJob[];
  /**
   * Runs jobs in order of their due time, those that handlers add or ask for `again` included, until none is left; the
   * clock moves to each due time. Throws when `maxRuns` are not enough: some job never finishes. Returns the number of runs.
   */
  runAll(handlers: Partial<JobHandlers>, options?: { readonly maxRuns?: number }): Promise<number>;
};

/** A queue in memory on a fake clock. Handlers' errors come out of `runAll`. */
export function fakeJobQueue(clock: ReturnType<typeof fakeClock>): FakeJobQueue {
  const added: FakeJob[] = [];
  const waiting: FakeJob[] = [];

  function takeNext(): FakeJob | undefined {
    let next = 0;
    waiting.forEach((job, i) => {
      if (job.dueAt < (waiting[next]?.dueAt ?? 0)) next = i;
    });
    return waiting.splice(next, 1)[0];
  }

  return {
    added,
    waiting,
    add: async (name, data, { key, delayMs = 0 }) => {
      if (key.includes(':') || /^\d+$/.test(key))
        throw new Error(`job key "${key}": no colon, not all digits`);
      const at = waiting.findIndex((job) => job.key === key);
      const standing = waiting[at];
      if (standing) {
        if (delayMs === 0) waiting[at] = { ...standing, dueAt: Math.min(standing.dueAt, clock.now()) };
        return;
      }
      const job = {
        name,
        data: JSON.parse(JSON.stringify(data)) as unknown,
        key,
        dueAt: clock.now() + delayMs,
      };
      added.push(job);
      waiting.push(job);
    },
    runAll: async (handlers, { maxRuns = 1_000 } = {}) => {
      for (let runs = 0; runs <= maxRuns; runs += 1) {
        const job = takeNext();
        if (!job) return runs;
        clock.set(Math.max(clock.now(), job.dueAt));
        const handler = handlers[job.name] as ((data: Jobs[JobName]) => Promise<JobResult>) | undefined;
        if (!handler) throw new Error(`no handler for the job ${job.name}`);
        const result = await handler(job.data as Jobs[JobName]);
        if (result.kind === 'again' && !waiting.some((other) => other.key === job.key)) {
          waiting.push({ ...job, dueAt: clock.now() + result.afterMs });
        }
      }
      throw new Error(
        `jobs still waiting after ${maxRuns} runs: ${waiting.map((job) => job.key).join(', ')}`,
      );
    },
  };
}
