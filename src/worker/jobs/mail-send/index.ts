import type { Job } from '../../job.ts';

/** Hands a mail to the mail server; waits as long as the schedule says. */
export const mailSend: Job<'mail.send'> = {
  name: 'mail.send',
  everyMs: null,
  handle: (services, { mailId }) => services.sendMail(mailId),
};
