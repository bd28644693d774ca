import { DelayedError, type Job } from 'bullmq';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { isKeyOf } from '../../core/records.ts';
import type { JobHandlers, JobQueue, JobRunner } from '../ports/job-queue.ts';
import { runJob } from '../ports/job-queue.ts';
import { REDIS_SILENCE, type RedisSilence } from '../redis-silence.ts';
import { type Backend, createPostgresQueueBackend, createRedisBackend, type WorkerWatch } from './backend.ts';
import { queueSentence } from './queue-error.ts';

export type BullQueue = JobQueue &
  JobRunner & {
    /** Resolves when the server answers. Throws QUEUE_UNREACHABLE. */
    ping(): Promise<void>;
    close(): Promise<void>;
  };

/** Something to log; no job is lost by it, because the sweeper reads the database. */
export type QueueProblem =
  | {
      readonly kind: 'job-failed';
      readonly job: string;
      readonly key: string;
      readonly last: boolean;
      readonly error: Error;
    }
  | { readonly kind: 'job-stalled'; readonly id: string }
  | { readonly kind: 'backend'; readonly error: Error };

type Options = ({ readonly redisUrl: string } | { readonly databaseUrl: string }) & {
  /** Installations that share one server need names of their own. */
  readonly name?: string;
  readonly silence?: RedisSilence;
  readonly onProblem?: (problem: QueueProblem) => void;
};

const RETRY = { attempts: 4, backoff: { type: 'exponential', delay: 500 } } as const;
/** Finished jobs leave nothing behind: their keys are free again, and Redis does not grow. */
const FORGET = { removeOnComplete: true, removeOnFail: true } as const;

const LEASE = {
  // A killed process's jobs lie still this long: the sweeper's new wake-ups melt into them while they count as active.
  // Short is safe, because a living worker renews its locks and the database, not the lock, decides who may act.
  lockDuration: 10_000,
  stalledInterval: 6_000,
  // A job whose process was killed is run again, each time: the database knows which work is done.
  maxStalledCount: 1_000_000,
} as const;

/**
 * Jobs on BullMQ, over Redis or over Postgres: the same calls, the same guarantees. Throws QUEUE_UNREACHABLE with one sentence
 * when the server cannot be used. On Postgres its tables live in the schema `bullmq`, and it holds at most five connections.
 */
export async function createBullQueue(options: Options): Promise<BullQueue> {
  const target = 'redisUrl' in options ? options.redisUrl : options.databaseUrl;
  const unreachable = (error: unknown) =>
    isAppError(error)
      ? error
      : new AppError('QUEUE_UNREACHABLE', { cause: queueSentence(error, target) }, { cause: error });
  const backend = await connect(options).catch((error: unknown) => {
    throw unreachable(error);
  });
  const report = options.onProblem ?? (() => undefined);
  const running = new Set<() => Promise<void>>();

  return {
    add: async (job, data, { key, delayMs = 0 }) => {
      assertKey(key);
      try {
        await backend.add(job, data, {
          ...RETRY,
          ...FORGET,
          delay: delayMs,
          // While the job waits, a second one melts into it; while it runs, the second one is kept and follows: it may carry
          // news that the run no longer reads. A job for now pulls a delayed one forward.
          deduplication: { id: key, keepLastIfActive: true, ...(delayMs === 0 ? { reschedule: true } : {}) },
        });
      } catch (error) {
        throw unreachable(error);
      }
    },
    run: async (handlers, { concurrency }) => {
      const working = backend.work(
        (job, token) => handle(handlers, job, token),
        { ...LEASE, concurrency },
        watching(report),
      );
      const worker = await working.catch((error: unknown) => {
        throw unreachable(error);
      });
      let stopped: Promise<void> | null = null;
      const stop = () => {
        running.delete(stop);
        stopped ??= worker.close();
        return stopped;
      };
      running.add(stop);
      return { stop };
    },
    ping: async () => {
      await backend.ping().catch((error: unknown) => {
        throw unreachable(error);
      });
    },
    close: async () => {
      await Promise.all([...running].map((stop) => stop()));
      await backend.close();
    },
  };
}

/** One BullMQ queue carries every job: a second one would double the connections and gain nothing at this size. */
function connect(options: Options): Promise<Backend> {
  const name = options.name ?? 'tradepost';
  return 'redisUrl' in options
    ? createRedisBackend(options.redisUrl, name, options.silence ?? REDIS_SILENCE)
    : createPostgresQueueBackend(options.databaseUrl, name);
}

function watching(report: (problem: QueueProblem) => void): WorkerWatch {
  return {
    onError: (error) => report({ kind: 'backend', error }),
    onStalled: (id) => report({ kind: 'job-stalled', id }),
    onFailed: (job, error) => {
      const last = job === undefined || job.attemptsMade >= (job.opts.attempts ?? 1);
      const key = job?.deduplicationId ?? '';
      report({ kind: 'job-failed', job: job?.name ?? 'unknown', key, last, error });
    },
  };
}

async function handle(handlers: JobHandlers, job: Job, token: string | undefined): Promise<void> {
  if (!isKeyOf(handlers, job.name)) throw new Error(`there is no handler for the job "${job.name}"`);
  const result = await runJob(handlers, job.name, job.data);
  if (result.kind === 'done') return;
  await job.moveToDelayed(Date.now() + result.afterMs, token);
  throw new DelayedError();
}

function assertKey(key: string): void {
  if (key === '' || key.includes(':') || /^\d+$/.test(key)) {
    throw new RangeError(`job key "${key}": expected text without a colon that is not all digits`);
  }
}
