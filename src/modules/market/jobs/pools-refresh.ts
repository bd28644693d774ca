import type { Job } from '../../../platform/worker/job.ts';

/** A pair without an earlier question is searched within seconds; a new pool of a known one is found within about a minute. */
export const poolsRefresh: Job<'pools.refresh'> = {
  name: 'pools.refresh',
  act: 'service',
  everyMs: 5_000,
  handle: async (services) => {
    await services.refreshPools();
    return { kind: 'done' };
  },
};
