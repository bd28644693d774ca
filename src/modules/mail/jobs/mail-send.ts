import type { Job } from '../../../platform/worker/job.ts';

/** Hands a mail to the mail server; waits as long as the schedule says. */
export const mailSend: Job<'mail.send'> = {
  name: 'mail.send',
  act: 'service',
  everyMs: null,
  handle: (services, { mailId }) => services.sendMail(mailId),
};
