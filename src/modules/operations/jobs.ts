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

/** Removes rows without further use. A row may wait a while for it. */
export const retentionRun: Job<'retention.run'> = {
  name: 'retention.run',
  act: 'service',
  everyMs: 600_000,
  handle: async (services) => {
    await services.cleanUp();
    return { kind: 'done' };
  },
};
