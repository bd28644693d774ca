import type { Job } from '../../job.ts';

/** Does nothing while nothing is traded. */
export const marketTrending: Job<'market.trending'> = {
  name: 'market.trending',
  everyMs: 30_000,
  handle: async (services) => {
    await services.workOutTrending();
    return { kind: 'done' };
  },
};
