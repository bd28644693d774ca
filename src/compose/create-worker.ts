import { type AppError, hasCode, isAppError } from '../core/errors/app-error.ts';
import type { Relay } from '../engine/transactions/use/relay-outbox.ts';
import { runWatch } from '../engine/watch/jobs.ts';
import type { Watch } from '../engine/watch/use/watch-attempts.ts';
import type { CallRank } from '../platform/ports/call-rank.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type {
  JobHandlers,
  JobName,
  JobQueue,
  JobResult,
  JobRunner,
  Jobs,
} from '../platform/ports/job-queue.ts';
import type { Logger } from '../platform/ports/logger.ts';
import { jobFate, type OutagePart, outagePart } from '../platform/worker/errors.ts';
import type { Job, WorkerServices } from '../platform/worker/job.ts';
import { createLocalJobs } from '../platform/worker/local-jobs.ts';
import { startRecurring } from '../platform/worker/recurring.ts';
import { jobs } from './jobs.ts';

export type WorkerDeps = {
  readonly runner: JobRunner;
  readonly services: WorkerServices;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly concurrency: number;
  /** Throws while no work may be taken: an unsafe standby, a wrong clock. The job comes again. Absent: always safe. */
  readonly assertSafe?: () => void;
  /** Hears of a failure that means an outage, instead of a log line for each job that met it; absent: a line each. */
  readonly onOutage?: (part: OutagePart, error: AppError) => void;
  /** Does work whose calls to the nodes have a rank; absent: none has. */
  readonly ranked?: <T>(rank: CallRank, work: () => T) => T;
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** Learns which jobs this process carries out itself while it works. */
  readonly relay: Pick<Relay, 'here'>;
  readonly watch: Watch;
};

/**
 * A worker that does nothing before `start`: then it takes jobs, carries out the jobs of its own commits and watches the sent attempts. The
 * first of the workers also runs the recurring jobs. `stop` resolves when everything it began has ended.
 */
export function createWorker(deps: WorkerDeps): { start(): Promise<{ stop(): Promise<void> }> } {
  const { runner, concurrency, queue, relay, watch, clock, log } = deps;
  return {
    start: async () => {
      const handlers = jobHandlers(deps);
      const taking = await runner.run(handlers, { concurrency });
      const local = createLocalJobs({ handlers, queue, clock, places: concurrency });
      const watching = runWatch(watch, log, deps.assertSafe);
      const recurring = startRecurring(handlers, recurrences(), () => watch.isFirst());
      relay.here = local;
      return {
        stop: async () => {
          delete relay.here;
          await Promise.all([recurring.stop(), taking.stop(), local.stop()]);
          // Last: attempts that the others still sent are handed over with the rest.
          await watching.stop();
        },
      };
    },
  };
}

type HandlerDeps = Pick<WorkerDeps, 'services' | 'log' | 'onOutage' | 'assertSafe' | 'ranked'>;

/** The handlers by name: each calls its one service, and an unrecoverable refusal ends the job instead of repeating it. */
export function jobHandlers(deps: HandlerDeps): JobHandlers {
  const handler =
    <N extends JobName>(job: Job<N>) =>
    (data: Jobs[N]): Promise<JobResult> =>
      guarded(deps, job, data);
  return {
    'builds.watch': handler(jobs['builds.watch']),
    'intent.step': handler(jobs['intent.step']),
    'launch.watch': handler(jobs['launch.watch']),
    'mail.send': handler(jobs['mail.send']),
    'mail.sweep': handler(jobs['mail.sweep']),
    'market.stats': handler(jobs['market.stats']),
    'market.upkeep': handler(jobs['market.upkeep']),
    'notice.send': handler(jobs['notice.send']),
    'payout.collect': handler(jobs['payout.collect']),
    'points.settle': handler(jobs['points.settle']),
    'pools.refresh': handler(jobs['pools.refresh']),
    'positions.keep': handler(jobs['positions.keep']),
    'retention.run': handler(jobs['retention.run']),
    'sweep.run': handler(jobs['sweep.run']),
  };
}

async function guarded<N extends JobName>(
  { services, log, onOutage, assertSafe, ranked }: HandlerDeps,
  job: Job<N>,
  data: Jobs[N],
): Promise<JobResult> {
  try {
    assertSafe?.();
    // Work that comes by the clock waits for work that a person asked for, wherever a node allows few calls.
    const work = () => job.handle(services, data);
    return await (ranked === undefined ? work() : ranked(job.everyMs === null ? 'person' : 'upkeep', work));
  } catch (error) {
    if (isAppError(error) && jobFate[error.code] === 'unrecoverable') {
      // Which row and field an operator must mend; other details are for the person who asked.
      const row = hasCode(error, 'ROW_INVALID') ? error.details : {};
      log.warn({ job: job.name, data, code: error.code, ...row }, 'job refused');
      return { kind: 'done' };
    }
    const part = isAppError(error) ? outagePart[error.code] : undefined;
    if (onOutage !== undefined && isAppError(error) && part !== undefined) onOutage(part, error);
    // The clock watch reports it once.
    else if (!hasCode(error, 'CLOCK_OFF')) log.error({ job: job.name, data, err: error }, 'job failed');
    throw error;
  }
}

function recurrences(): Partial<Record<JobName, number>> {
  return Object.fromEntries(
    Object.values(jobs).flatMap((job) => (job.everyMs === null ? [] : [[job.name, job.everyMs]])),
  );
}
