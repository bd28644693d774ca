import type { Job } from '../../job.ts';

/** Puts back mails that the queue forgot. */
export const mailSweep: Job<'mail.sweep'> = {
  name: 'mail.sweep',
  everyMs: 60_000,
  handle: async (services) => {
    await services.sweepMails();
    return { kind: 'done' };
  },
};
