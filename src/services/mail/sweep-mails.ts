import type { Clock } from '../../core/ports/clock.ts';
import type { JobQueue } from '../../core/ports/job-queue.ts';
import type { Database } from '../../core/ports/stores.ts';
import { mailJobKey } from './queue-mail.ts';

const DAY_MS = 86_400_000;
const LIMIT = 200;
const UNCONFIRMED_KEEP_MS = 7 * DAY_MS;
const REFUSED_KEEP_MS = 90 * DAY_MS;
const MAIL_KEEP_MS = 90 * DAY_MS;
/** A used link says for this long when it was used, and lets its holder revoke the key. */
const LINK_KEEP_MS = 90 * DAY_MS;

/**
 * Puts back into the queue the mails that it forgot, and forgets what has served: requests that nobody confirmed within 7 days,
 * refused ones after 90, old mails and links.
 */
export async function sweepMails(deps: {
  readonly db: Pick<Database, 'mails' | 'keyRequests' | 'links'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
}): Promise<void> {
  const { db, queue, clock } = deps;
  const now = clock.now();
  for (const mailId of await db.mails.due(now, LIMIT))
    await queue.add('mail.send', { mailId }, { key: mailJobKey(mailId) });
  await db.keyRequests.deleteOld({ unconfirmed: now - UNCONFIRMED_KEEP_MS, refused: now - REFUSED_KEEP_MS });
  await db.mails.deleteOld(now - MAIL_KEEP_MS);
  await db.links.deleteExpired(now - LINK_KEEP_MS);
}
