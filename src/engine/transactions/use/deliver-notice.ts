import { hasCode } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { JobResult } from '../../../platform/ports/job-queue.ts';
import type { Notifier } from '../../../platform/ports/notifier.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { isOpen } from '../../intents/rules/machine.ts';
import type { Notice, NoticeToTell } from '../../notices/store-port.ts';

/** After so many tries in vain a notice is given up; the person still finds the result in the history. */
const MAX_TRIES = 50;
const DONE: JobResult = { kind: 'done' };
/** Nothing of these is worth a late delivery: a final message follows them, or they are not true any more. */
const PASSING: ReadonlySet<Notice['kind']> = new Set([
  'progress',
  'confirmed',
  'invitee-joined',
  'convert-open',
]);

export type DeliverNotice = (noticeId: string, intentId?: string | null) => Promise<JobResult>;

/**
 * Delivers one notice, at least once. A notice that a later one has overtaken is dropped. Notices of one intent go out one after another,
 * so that a message never falls back from "done" to "sent". Obeys the messenger's own waiting time. A person who blocked the bot gets the
 * lasting notices when they are back; until then these stay undelivered.
 */
export function createDeliverNotice(deps: {
  readonly db: Pick<Database, 'notices'>;
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** Delivers a notice that has a Stop at a second place, too. */
  readonly alsoTell?: (told: NoticeToTell) => Promise<void>;
}): DeliverNotice {
  const { db, notifier, clock, alsoTell } = deps;
  /** The last delivery of each intent, or of each notice that has none. */
  const lastOf = new Map<string, Promise<unknown>>();

  async function deliver(noticeId: string): Promise<JobResult> {
    const told = await db.notices.begin(noticeId);
    if (told === null) return DONE;
    if (told.notice.attempts <= MAX_TRIES && !isOvertaken(told)) {
      // First, and also where the messenger fails: a thief may hold the chat.
      await alsoTell?.(told);
      const result = await notifier.deliver(told);
      if (result.kind === 'retry') return { kind: 'again', afterMs: result.afterMs };
      // Kept for the day they are back; the sweep skips people who are away, so this costs nothing meanwhile.
      if (result.kind === 'away' && !PASSING.has(told.notice.kind)) return DONE;
    }
    await db.notices.markDelivered(noticeId, clock.now());
    return DONE;
  }

  const inLine: DeliverNotice = async (noticeId, intentId) => {
    const known = intentId === undefined ? (await db.notices.find(noticeId))?.intentId : intentId;
    const line = known ?? noticeId;
    const before = lastOf.get(line) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => deliver(noticeId));
    lastOf.set(line, mine);
    try {
      return await mine;
    } finally {
      if (lastOf.get(line) === mine) lastOf.delete(line);
    }
  };
  return async (noticeId, intentId) => {
    try {
      return await inLine(noticeId, intentId);
    } catch (error) {
      // Waiting makes no row readable, but one of a later release. The history keeps the result; the log names the row.
      const isOurs = hasCode(error, 'ROW_INVALID') && error.details.row === noticeId;
      if (isOurs && !error.details.field.endsWith('.v')) {
        await db.notices.markDelivered(noticeId, clock.now());
      }
      throw error;
    }
  };
}

function isOvertaken({ notice: { kind, intentId }, about }: NoticeToTell): boolean {
  if (intentId === null || (kind !== 'waiting' && kind !== 'progress' && kind !== 'confirmed')) return false;
  if (about === null || !isOpen(about.intent.status)) return true;
  if (kind === 'waiting') return about.intent.status !== 'CREATED';
  if (kind === 'confirmed') return false;
  return about.attempts.at(-1)?.status === 'CONFIRMED';
}
