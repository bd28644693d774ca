import type { Job } from '../../job.ts';

/** Graduation is news for hours: once in a while is soon enough, and a few reads are all that it costs. */
export const launchWatch: Job<'launch.watch'> = {
  name: 'launch.watch',
  everyMs: 30_000,
  handle: async (services) => {
    await services.watchLaunches();
    return { kind: 'done' };
  },
};
