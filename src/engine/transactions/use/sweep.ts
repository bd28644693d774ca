import type { Clock } from '../../../platform/ports/clock.ts';
import type { JobQueue } from '../../../platform/ports/job-queue.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { intentJobKey, noticeJobKey } from './add-notices.ts';
import type { Relay } from './relay-outbox.ts';

const LIMIT = 500;
/** Younger notices are still on their ordinary way. */
const NOTICE_AGE_MS = 5_000;
/** So long a sent attempt is left to the watchers; it lands within seconds or dies within a minute and a half. */
const WATCHED_MS = 60_000;

/** Since when an attempt is the watchers', and a notice on its way. */
export const sweepBounds = (
  now: number,
): { readonly watchedSince: number; readonly noticesBefore: number } => ({
  watchedSince: now - WATCHED_MS,
  noticesBefore: now - NOTICE_AGE_MS,
});

export type SweepDeps = {
  readonly db: Pick<Database, 'watch'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly relay: Pick<Relay, 'run'>;
};

/**
 * Puts forgotten work back into the queue: due intents that no process holds or watches, notices that were not delivered, outbox rows that
 * were not dispatched. Losing every job therefore costs seconds and nothing else.
 */
export async function sweep({ db, queue, clock, relay }: SweepDeps): Promise<void> {
  const now = clock.now();
  const { intents, notices, outbox } = await db.watch.forgotten({ now, ...sweepBounds(now), limit: LIMIT });
  if (outbox) await relay.run();
  for (const intentId of intents)
    await queue.add('intent.step', { intentId }, { key: intentJobKey(intentId) });
  for (const noticeId of notices)
    await queue.add('notice.send', { noticeId }, { key: noticeJobKey(noticeId) });
}
