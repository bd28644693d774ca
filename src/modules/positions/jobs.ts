import type { Job } from '../../platform/worker/job.ts';

/** A few wallets a run are compared with the chain, and after 00:00 UTC valued; a minute without either costs two reads. */
export const positionsKeep: Job<'positions.keep'> = {
  name: 'positions.keep',
  act: 'service',
  everyMs: 60_000,
  handle: async (services) => {
    await services.keepPositions();
    return { kind: 'done' };
  },
};
