import type { Declared } from '../../modules/guard/rules/acts.ts';
import type { JobName, JobResult, Jobs } from '../ports/job-queue.ts';

/** The use cases that jobs call; each job calls one. */
export type WorkerServices = {
  readonly stepIntent: (intentId: string) => Promise<JobResult>;
  readonly deliverNotice: (noticeId: string, intentId?: string | null) => Promise<JobResult>;
  readonly sendMail: (mailId: string) => Promise<JobResult>;
  readonly sweepMails: () => Promise<void>;
  readonly collectPayouts: () => Promise<unknown>;
  readonly watchLaunches: () => Promise<void>;
  readonly keepPositions: () => Promise<void>;
  readonly settlePoints: () => Promise<unknown>;
  readonly refreshPools: () => Promise<unknown>;
  readonly watchBuilds: () => Promise<void>;
  readonly judgeTrades: () => Promise<void>;
  readonly cleanUp: () => Promise<void>;
  readonly moveMarketWindows: () => Promise<void>;
  readonly keepTape: () => Promise<void>;
  readonly indexTokens: () => Promise<unknown>;
  readonly workOutTrending: () => Promise<void>;
  readonly sweep: () => Promise<void>;
};

/** One kind of job: its work, and how often it comes by itself. */
export type Job<N extends JobName> = {
  readonly name: N;
  /** The act that it carries out. */
  readonly act: Declared;
  /** Milliseconds between its own recurrences; null = only when asked for. */
  readonly everyMs: number | null;
  readonly handle: (services: WorkerServices, data: Jobs[N]) => Promise<JobResult>;
};
