import type { Job } from '../../job.ts';

/** Pools are opened all the time; a new one of a pair that people ask about is found within about a minute. */
export const poolsRefresh: Job<'pools.refresh'> = {
  name: 'pools.refresh',
  everyMs: 15_000,
  handle: async (services) => {
    await services.refreshPools();
    return { kind: 'done' };
  },
};
