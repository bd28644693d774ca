import type { Job } from '../../job.ts';

/** What is older than 24 hours leaves the figures of the markets within about a minute. */
export const marketStats: Job<'market.stats'> = {
  name: 'market.stats',
  everyMs: 20_000,
  handle: async (services) => {
    await services.moveMarketWindows();
    return { kind: 'done' };
  },
};
