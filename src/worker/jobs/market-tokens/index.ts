import type { Job } from '../../job.ts';

/** What was traded or made here a moment ago can be found by its name. */
export const marketTokens: Job<'market.tokens'> = {
  name: 'market.tokens',
  everyMs: 20_000,
  handle: async (services) => {
    await services.indexTokens();
    return { kind: 'done' };
  },
};
