import type { Job } from '../../platform/worker/job.ts';

/** Graduation is news for hours: once in a while is soon enough, and a few reads are all that it costs. */
export const launchWatch: Job<'launch.watch'> = {
  name: 'launch.watch',
  act: 'service',
  everyMs: 30_000,
  handle: async (services) => {
    await services.watchLaunches();
    return { kind: 'done' };
  },
};
