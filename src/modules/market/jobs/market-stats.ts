import type { Job } from '../../../platform/worker/job.ts';

/**
 * Trades older than 24 hours leave the figures of the markets within a minute and a half. Tokens traded or made here become findable by
 * name. Trends are computed, unless nothing was traded. Landed trades of people get
 * the verdict of the tape. One job: each wake of a queue costs the database several transactions, also when
 * there is nothing to do. One part that fails does not hold up the others.
 */
export const marketStats: Job<'market.stats'> = {
  name: 'market.stats',
  act: 'service',
  everyMs: 30_000,
  handle: async (services) => {
    const parts = await Promise.allSettled([
      services.moveMarketWindows(),
      services.indexTokens(),
      services.workOutTrending(),
      services.judgeTrades(),
    ]);
    const failed = parts.find((part) => part.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return { kind: 'done' };
  },
};
