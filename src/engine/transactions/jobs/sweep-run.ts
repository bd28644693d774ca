import type { Job } from '../../../platform/worker/job.ts';

/**
 * Puts back what the queue forgot. The queue is a wake-up signal; this is what makes it dispensable. The watcher's beat starts it as
 * soon as something is due that nobody is at work on; by the clock it runs only for the case that a beat was lost.
 */
export const sweepRun: Job<'sweep.run'> = {
  name: 'sweep.run',
  act: 'service',
  everyMs: 60_000,
  handle: async (services) => {
    await services.sweep();
    return { kind: 'done' };
  },
};
