import type { Job } from '../../platform/worker/job.ts';

/** A replaced program is noticed within about a minute. */
export const buildsWatch: Job<'builds.watch'> = {
  name: 'builds.watch',
  act: 'service',
  everyMs: 60_000,
  handle: async (services) => {
    await services.watchBuilds();
    return { kind: 'done' };
  },
};

/** Removes what nobody needs any more. Nothing of it is in anybody's way for a while. */
export const retentionRun: Job<'retention.run'> = {
  name: 'retention.run',
  act: 'service',
  everyMs: 600_000,
  handle: async (services) => {
    await services.cleanUp();
    return { kind: 'done' };
  },
};
