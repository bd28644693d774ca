import type { Job } from '../../../platform/worker/job.ts';

/**
 * Puts forgotten work back into the queue. The queue is only a wake-up signal, and this job makes it dispensable. The watcher's beat starts
 * it as soon as an intent is due and no process works on it. The clock runs it only for the case that a beat was lost.
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
