import type { Job } from '../../platform/worker/job.ts';

/** Finishes the open work of points: rounds of games, convert periods. */
export const pointsSettle: Job<'points.settle'> = {
  name: 'points.settle',
  act: 'service',
  everyMs: 30_000,
  handle: async (services) => {
    await services.settlePoints();
    return { kind: 'done' };
  },
};
