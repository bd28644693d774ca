import { noticeSend } from '../engine/notices/jobs.ts';
import { intentStep } from '../engine/transactions/jobs/intent-step.ts';
import { sweepRun } from '../engine/transactions/jobs/sweep-run.ts';
import { launchModule } from '../modules/launch/index.ts';
import { mailModule } from '../modules/mail/index.ts';
import { marketModule } from '../modules/market/index.ts';
import { operationsModule } from '../modules/operations/index.ts';
import { pointsModule } from '../modules/points/index.ts';
import { positionsModule } from '../modules/positions/index.ts';
import { referralsModule } from '../modules/referrals/index.ts';
import type { JobName } from '../platform/ports/job-queue.ts';
import type { Job } from '../platform/worker/job.ts';

/** Every job: those of the engine, and those of the nouns. A name in platform/ports/job-queue.ts that no line brings does not compile. */
export const jobs: { readonly [N in JobName]: Job<N> } = {
  'intent.step': intentStep,
  'notice.send': noticeSend,
  'sweep.run': sweepRun,
  ...launchModule.jobs,
  ...mailModule.jobs,
  ...marketModule.jobs,
  ...operationsModule.jobs,
  ...pointsModule.jobs,
  ...positionsModule.jobs,
  ...referralsModule.jobs,
};
