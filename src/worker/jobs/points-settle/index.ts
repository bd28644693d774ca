import type { Job } from '../../job.ts';

/** Finishes what is under way in points: rounds of games, convert periods. */
export const pointsSettle: Job<'points.settle'> = {
  name: 'points.settle',
  everyMs: 30_000,
  handle: async (services) => {
    await services.settlePoints();
    return { kind: 'done' };
  },
};
