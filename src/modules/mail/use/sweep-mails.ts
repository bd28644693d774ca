import type { Clock } from '../../../platform/ports/clock.ts';
import type { JobQueue } from '../../../platform/ports/job-queue.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { mailJobKey } from './queue-mail.ts';

const LIMIT = 200;

/** Puts back into the queue the mails that it forgot. */
export async function sweepMails(deps: {
  readonly db: Pick<Database, 'mails'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
}): Promise<void> {
  for (const mailId of await deps.db.mails.due(deps.clock.now(), LIMIT))
    await deps.queue.add('mail.send', { mailId }, { key: mailJobKey(mailId) });
}
