import type { Job } from '../../../platform/worker/job.ts';

/** Makes room for the trades of the next days, and drops rows past their time. */
export const marketUpkeep: Job<'market.upkeep'> = {
  name: 'market.upkeep',
  act: 'service',
  everyMs: 600_000,
  handle: async (services) => {
    await services.keepTape();
    return { kind: 'done' };
  },
};
