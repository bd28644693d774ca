import type { Job } from '../../../platform/worker/job.ts';

/** Puts back mails that the queue forgot. */
export const mailSweep: Job<'mail.sweep'> = {
  name: 'mail.sweep',
  act: 'service',
  everyMs: 60_000,
  handle: async (services) => {
    await services.sweepMails();
    return { kind: 'done' };
  },
};
