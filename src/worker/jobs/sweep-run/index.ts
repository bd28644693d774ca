import type { Job } from '../../job.ts';

/** Puts back what the queue forgot. The queue is a wake-up signal; this is what makes it dispensable. */
export const sweepRun: Job<'sweep.run'> = {
  name: 'sweep.run',
  everyMs: 6_000,
  handle: async (services) => {
    await services.sweep();
    return { kind: 'done' };
  },
};
