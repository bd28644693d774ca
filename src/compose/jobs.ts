import { noticeSend } from '../engine/notices/jobs.ts';
import { intentStep } from '../engine/transactions/jobs/intent-step.ts';
import { sweepRun } from '../engine/transactions/jobs/sweep-run.ts';
import { launchWatch } from '../modules/launch/jobs.ts';
import { mailSend } from '../modules/mail/jobs/mail-send.ts';
import { mailSweep } from '../modules/mail/jobs/mail-sweep.ts';
import { marketStats } from '../modules/market/jobs/market-stats.ts';
import { marketUpkeep } from '../modules/market/jobs/market-upkeep.ts';
import { poolsRefresh } from '../modules/market/jobs/pools-refresh.ts';
import { buildsWatch, retentionRun } from '../modules/operations/jobs.ts';
import { pointsSettle } from '../modules/points/jobs.ts';
import { positionsKeep } from '../modules/positions/jobs.ts';
import { payoutCollect } from '../modules/referrals/jobs.ts';
import type { JobName } from '../platform/ports/job-queue.ts';
import type { Job } from '../platform/worker/job.ts';

/** Every job. A name in platform/ports/job-queue.ts without a line here does not compile. */
export const jobs: { readonly [N in JobName]: Job<N> } = {
  'builds.watch': buildsWatch,
  'intent.step': intentStep,
  'launch.watch': launchWatch,
  'mail.send': mailSend,
  'mail.sweep': mailSweep,
  'market.stats': marketStats,
  'market.upkeep': marketUpkeep,
  'notice.send': noticeSend,
  'payout.collect': payoutCollect,
  'points.settle': pointsSettle,
  'pools.refresh': poolsRefresh,
  'positions.keep': positionsKeep,
  'retention.run': retentionRun,
  'sweep.run': sweepRun,
};
