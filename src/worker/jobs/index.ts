import type { JobName } from '../../core/ports/job-queue.ts';
import type { Job } from '../job.ts';
import { intentStep } from './intent-step/index.ts';
import { launchWatch } from './launch-watch/index.ts';
import { mailSend } from './mail-send/index.ts';
import { mailSweep } from './mail-sweep/index.ts';
import { marketStats } from './market-stats/index.ts';
import { marketUpkeep } from './market-upkeep/index.ts';
import { noticeSend } from './notice-send/index.ts';
import { payoutCollect } from './payout-collect/index.ts';
import { pointsSettle } from './points-settle/index.ts';
import { poolsRefresh } from './pools-refresh/index.ts';
import { positionsKeep } from './positions-keep/index.ts';
import { retentionRun } from './retention-run/index.ts';
import { sweepRun } from './sweep-run/index.ts';

/** Every job. A name in core/ports/job-queue.ts without a line here does not compile. */
export const jobs: { readonly [N in JobName]: Job<N> } = {
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
