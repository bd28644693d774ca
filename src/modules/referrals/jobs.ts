import type { Job } from '../../platform/worker/job.ts';

/** Pays the rewards that became payable. Asked for by every final trade; by itself for wallets that were funded meanwhile. */
export const payoutCollect: Job<'payout.collect'> = {
  name: 'payout.collect',
  act: 'payout',
  everyMs: 60_000,
  handle: async (services) => {
    await services.collectPayouts();
    return { kind: 'done' };
  },
};
