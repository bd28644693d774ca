import type { Job } from '../../job.ts';

/** Pays what has become payable. Asked for by every final trade; by itself for wallets that were funded meanwhile. */
export const payoutCollect: Job<'payout.collect'> = {
  name: 'payout.collect',
  everyMs: 60_000,
  handle: async (services) => {
    await services.collectPayouts();
    return { kind: 'done' };
  },
};
