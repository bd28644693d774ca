import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Notice } from '../../notices/store-port.ts';

/**
 * "Sent" is reported only to people who wait longer than this. Mostly the result is there by then, and a message that flickers through a
 * state has no use.
 */
const PROGRESS_AFTER_MS = 600;

/**
 * Notices and the jobs that deliver them, for the caller's transaction: a committed notice is sent at least once. One with `at`, which
 * may lie ahead, is sent then.
 */
export async function addNotices(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  stores: Pick<Stores, 'notices' | 'outbox'>,
  notices: readonly (Pick<Notice, 'userId' | 'intentId' | 'kind' | 'payload'> & { readonly at?: number })[],
): Promise<void> {
  if (notices.length === 0) return;
  const now = clock.now();
  const soon = now + PROGRESS_AFTER_MS;
  const rows = notices.map(
    ({ at, ...notice }): Notice => ({
      ...notice,
      id: ids.ulid(),
      createdAt: at ?? now,
      deliveredAt: null,
      attempts: 0,
    }),
  );
  await stores.notices.add(rows);
  await stores.outbox.add(
    rows.map((row) => ({
      id: ids.ulid(),
      job: 'notice.send',
      data: { noticeId: row.id, intentId: row.intentId },
      key: noticeJobKey(row.id),
      notBefore: row.kind === 'progress' ? soon : row.createdAt > now ? row.createdAt : null,
    })),
  );
}

/** One waiting job per notice, shared by all callers. */
export function noticeJobKey(noticeId: string): string {
  return `notice-${noticeId}`;
}

/** One waiting job per intent, shared by all callers: confirm, sweeper or a crash's aftermath. */
export function intentJobKey(intentId: string): string {
  return `intent-${intentId}`;
}
