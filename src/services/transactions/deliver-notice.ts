import { hasCode } from '../../core/errors/app-error.ts';
import { isOpen } from '../../core/intents/machine.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { JobResult } from '../../core/ports/job-queue.ts';
import type { Notice } from '../../core/ports/notice-store.ts';
import type { Notifier } from '../../core/ports/notifier.ts';
import type { Database } from '../../core/ports/stores.ts';

/** After so many tries in vain a notice is given up; the person still finds the result in the history. */
const MAX_TRIES = 50;
const DONE: JobResult = { kind: 'done' };
/** Nobody wants to hear of these later: a final word follows them, or they are not true any more. */
const PASSING: ReadonlySet<Notice['kind']> = new Set([
  'progress',
  'confirmed',
  'invitee-joined',
  'convert-open',
]);

export type DeliverNotice = (noticeId: string) => Promise<JobResult>;

/**
 * Delivers one notice, at least once. A notice that a later one has overtaken is dropped, and notices of one intent go out
 * one after another, so that a message never falls back from "done" to "sent". Obeys the messenger's own waiting time. What
 * somebody who blocked the bot must still hear stays undelivered until they are back.
 */
export function createDeliverNotice(deps: {
  readonly db: Pick<Database, 'notices' | 'intents'>;
  readonly notifier: Notifier;
  readonly clock: Clock;
}): DeliverNotice {
  const { db, notifier, clock } = deps;
  const lastOf = new Map<string, Promise<unknown>>();

  async function deliver(noticeId: string): Promise<JobResult> {
    const notice = await db.notices.find(noticeId);
    if (notice === null || notice.deliveredAt !== null) return DONE;
    if (notice.attempts >= MAX_TRIES || (await isOvertaken(db, notice))) {
      await db.notices.markDelivered(notice.id, clock.now());
      return DONE;
    }
    await db.notices.countAttempt(notice.id);
    const result = await notifier.deliver(notice);
    if (result.kind === 'retry') return { kind: 'again', afterMs: result.afterMs };
    // Kept for the day they are back; the sweep asks for nobody who is away, so this costs nothing meanwhile.
    if (result.kind === 'away' && !PASSING.has(notice.kind)) return DONE;
    await db.notices.markDelivered(notice.id, clock.now());
    return DONE;
  }

  const inLine: DeliverNotice = async (noticeId) => {
    const notice = await db.notices.find(noticeId);
    const line = notice?.intentId ?? noticeId;
    const before = lastOf.get(line) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => deliver(noticeId));
    lastOf.set(line, mine);
    try {
      return await mine;
    } finally {
      if (lastOf.get(line) === mine) lastOf.delete(line);
    }
  };
  return async (noticeId) => {
    try {
      return await inLine(noticeId);
    } catch (error) {
      // Waiting makes no row readable, but one of a later release. The result stands in the history; the log names the row.
      const isOurs = hasCode(error, 'ROW_INVALID') && error.details.row === noticeId;
      if (isOurs && !error.details.field.endsWith('.v')) {
        await db.notices.markDelivered(noticeId, clock.now());
      }
      throw error;
    }
  };
}

async function isOvertaken(db: Pick<Database, 'intents'>, notice: Notice): Promise<boolean> {
  const { kind } = notice;
  if (notice.intentId === null || (kind !== 'waiting' && kind !== 'progress' && kind !== 'confirmed'))
    return false;
  const intent = await db.intents.find(notice.intentId);
  if (intent === null || !isOpen(intent.status)) return true;
  if (kind === 'waiting') return intent.status !== 'CREATED';
  if (notice.kind === 'confirmed') return false;
  const attempts = await db.intents.attempts(intent.id);
  return attempts.at(-1)?.status === 'CONFIRMED';
}
