import type { Job } from '../../job.ts';

/** Removes what nobody needs any more. Nothing of it is in anybody's way for a while. */
export const retentionRun: Job<'retention.run'> = {
  name: 'retention.run',
  everyMs: 600_000,
  handle: async (services) => {
    await services.cleanUp();
    return { kind: 'done' };
  },
};
