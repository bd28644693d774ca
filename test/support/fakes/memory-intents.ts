import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { IntentStore } from '../../../src/engine/intents/store/intent-store-port.ts';
import type { NoticeStore } from '../../../src/engine/notices/store-port.ts';
import type { OutboxStore } from '../../../src/engine/transactions/store/outbox-store-port.ts';
import type { WatchStore } from '../../../src/engine/watch/store-port.ts';
import { COMMIT_RULES, isLive, isOpen } from './commit-rules.ts';
import {
  byId,
  insertRow,
  type MemoryAccess,
  type MemoryView,
  requireRow,
  throughJson,
} from './memory-state.ts';

const { isFree, mayClaim, mayInsertAttempt, mayLease, mayUpdateAttempt, mayUpdateIntent } = COMMIT_RULES;
const isSent = (attempt: Attempt): boolean => isLive(attempt) && attempt.sendCount > 0;
const attemptsOf = (view: MemoryView, intentId: string): readonly Attempt[] =>
  view.attempts
    .rows()
    .filter((attempt) => attempt.intentId === intentId)
    .sort((a, b) => a.n - b.n)
    .map((attempt) => structuredClone(attempt));

export function memoryIntentStore({ read, write }: MemoryAccess): IntentStore {
  return {
    insert: (intent) =>
      write((view) => {
        const known = view.intents.rows().find((other) => other.idemKey === intent.idemKey);
        if (known) return { intent: known, created: false };
        requireRow(view.users, 'users', intent.userId);
        requireRow(view.wallets, 'wallets', intent.walletId);
        const copy = structuredClone(intent);
        insertRow(view.intents, 'intents', intent.id, copy);
        return { intent: copy, created: true };
      }),
    find: (id) => read((view) => view.intents.get(id) ?? null),
    findByKey: (idemKey) =>
      read((view) => view.intents.rows().find((intent) => intent.idemKey === idemKey) ?? null),
    whole: (id) =>
      read((view) => {
        const intent = view.intents.get(id);
        const wallet = intent && view.wallets.get(intent.walletId);
        if (!intent || !wallet) return null;
        return { intent, wallet, attempts: attemptsOf(view, id) };
      }),
    lease: (id, claim) =>
      write((view) => {
        const intent = view.intents.get(id);
        const wallet = intent && view.wallets.get(intent.walletId);
        if (!intent || !wallet || !mayLease(intent, claim.now)) return null;
        if (view.flags.get('quarantined') !== undefined) return null;
        const leased = {
          ...intent,
          leaseOwner: claim.owner,
          leaseUntil: claim.until,
          leaseEpoch: intent.leaseEpoch + 1,
        };
        view.intents.set(id, leased);
        return { intent: leased, wallet, attempts: attemptsOf(view, id) };
      }),
    claim: (id, epoch, now) =>
      write((view) => {
        const intent = view.intents.get(id);
        if (!intent || !mayClaim(intent, epoch, now) || view.flags.get('quarantined') !== undefined)
          return false;
        view.intents.set(id, { ...intent, leaseOwner: null, leaseUntil: null, leaseEpoch: epoch + 1 });
        return true;
      }),
    release: (id, epoch) =>
      write((view) => {
        const intent = view.intents.get(id);
        if (intent?.leaseEpoch !== epoch) return false;
        view.intents.set(id, { ...intent, leaseOwner: null, leaseUntil: null });
        return true;
      }),
    update: (id, expect, patch) =>
      write((view) => {
        const intent = view.intents.get(id);
        if (!intent || !mayUpdateIntent(intent, expect)) return false;
        view.intents.set(id, structuredClone({ ...intent, ...patch }));
        return true;
      }),
    attempts: (intentId) => read((view) => attemptsOf(view, intentId)),
    insertAttempt: (attempt) =>
      write((view) => {
        if (!mayInsertAttempt(view.attempts.rows(), attempt)) return false;
        requireRow(view.intents, 'intents', attempt.intentId);
        view.attempts.set(attempt.id, structuredClone(attempt));
        return true;
      }),
    updateAttempt: (id, expect, patch) =>
      write((view) => {
        const attempt = view.attempts.get(id);
        const intent = attempt && view.intents.get(attempt.intentId);
        if (!intent || !mayUpdateAttempt(intent, attempt, expect)) return false;
        const next = structuredClone({ ...attempt, ...patch });
        const rival = view.attempts
          .rows()
          .some((other) => other.id !== id && other.intentId === attempt.intentId && isLive(other));
        if (isLive(next) && rival) throw new Error('attempts: one live attempt per intent');
        view.attempts.set(id, next);
        return true;
      }),
    due: (now, limit, options) => read((view) => dueIntents(view, now, limit, options?.watchedSince)),
    countOpenByWallet: (walletId) =>
      read(
        (view) =>
          view.intents.rows().filter((intent) => intent.walletId === walletId && isOpen(intent)).length,
      ),
    listOpen: (userId) =>
      read((view) =>
        view.intents
          .rows()
          .filter((intent) => intent.userId === userId && isOpen(intent))
          .sort((a, b) => byId(b, a)),
      ),
    listByUser: (userId, { limit, before, kinds, walletId }) =>
      read((view) =>
        view.intents
          .rows()
          .filter(
            (intent) =>
              intent.userId === userId &&
              (before === undefined || intent.id < before) &&
              (kinds === undefined || kinds.includes(intent.kind)) &&
              (walletId === undefined || intent.walletId === walletId),
          )
          .sort((a, b) => byId(b, a))
          .slice(0, limit),
      ),
  };
}

function dueIntents(
  view: MemoryView,
  now: number,
  limit: number,
  since: number | null = null,
): readonly string[] {
  const areWatched = since !== null && view.watchers.rows().some(({ until }) => until > now);
  const isWatched = (intent: Intent): boolean =>
    areWatched &&
    view.attempts
      .rows()
      .some(
        (attempt) => attempt.intentId === intent.id && isSent(attempt) && attempt.signedAt > (since ?? 0),
      );
  return view.intents
    .rows()
    .filter(
      (intent) =>
        isOpen(intent) &&
        isFree(intent, now) &&
        (intent.notBefore === null || intent.notBefore <= now) &&
        !isWatched(intent),
    )
    .sort(byId)
    .slice(0, limit)
    .map((intent) => intent.id);
}

function undeliveredNotices(view: MemoryView, before: number, limit: number): readonly string[] {
  return view.notices
    .rows()
    .filter((notice) => notice.deliveredAt === null && notice.createdAt < before)
    .filter(({ userId }) => view.users.get(userId)?.blockedAt === null)
    .sort(byId)
    .slice(0, limit)
    .map((notice) => notice.id);
}

export function memoryWatchStore({ read, write }: MemoryAccess): WatchStore {
  return {
    forgotten: ({ now, watchedSince, noticesBefore, limit }) =>
      read((view) => ({
        intents: dueIntents(view, now, limit, watchedSince),
        notices: undeliveredNotices(view, noticesBefore, limit),
        outbox: view.outbox.rows().some(({ dispatchedAt }) => dispatchedAt === null),
      })),
    beat: ({ owner, now, until, watchedSince, noticesBefore, limit }) =>
      write((view) => {
        view.watchers.set(owner, { owner, until });
        const owners = view.watchers
          .rows()
          .filter((other) => other.owner === owner || other.until > now)
          .map((other) => other.owner);
        const attempts = view.attempts
          .rows()
          .filter((attempt) => {
            const intent = view.intents.get(attempt.intentId);
            return isSent(attempt) && intent !== undefined && isOpen(intent);
          })
          .sort(byId)
          .slice(0, limit)
          .map((attempt) => structuredClone(attempt));
        return {
          owners,
          attempts,
          isForgotten:
            dueIntents(view, now, 1, watchedSince).length > 0 ||
            undeliveredNotices(view, noticesBefore, 1).length > 0 ||
            view.outbox.rows().some(({ dispatchedAt }) => dispatchedAt === null),
          // Submissions are beside the stores of one unit of work.
          haveSubmissions: false,
          haveOrders: view.orders
            .rows()
            .some(
              ({ order: { status, expiresAt } }) =>
                status === 'OPEN' || ((status === 'PAUSED' || status === 'WAITING') && expiresAt <= now),
            ),
        };
      }),
    leave: (owner) =>
      write((view) => {
        view.watchers.delete(owner);
      }),
  };
}

export function memoryOutboxStore({ write }: MemoryAccess): OutboxStore {
  return {
    add: (rows) =>
      write((view) => {
        for (const row of rows) {
          const waiting = view.outbox
            .rows()
            .find((other) => other.dispatchedAt === null && other.row.key === row.key);
          if (!waiting) {
            insertRow(view.outbox, 'outbox', row.id, { row: structuredClone(row), dispatchedAt: null });
            continue;
          }
          const earlier =
            waiting.row.notBefore === null || row.notBefore === null
              ? null
              : Math.min(waiting.row.notBefore, row.notBefore);
          view.outbox.set(waiting.row.id, {
            ...waiting,
            row: { ...waiting.row, notBefore: earlier },
          });
        }
      }),
    claim: (limit) =>
      write((view) =>
        view.outbox
          .rows()
          .filter((stored) => stored.dispatchedAt === null)
          .map((stored) => stored.row)
          .sort(byId)
          .slice(0, limit),
      ),
    markDispatched: (ids, at) =>
      write((view) => {
        for (const id of ids) {
          const stored = view.outbox.get(id);
          if (stored) view.outbox.set(id, { ...stored, dispatchedAt: at });
        }
      }),
    deleteDispatched: (before) =>
      write((view) => {
        const old = view.outbox
          .rows()
          .filter((stored) => stored.dispatchedAt !== null && stored.dispatchedAt < before);
        for (const stored of old) view.outbox.delete(stored.row.id);
        return old.length;
      }),
  };
}

export function memoryNoticeStore({ read, write }: MemoryAccess): NoticeStore {
  return {
    add: (notices) =>
      write((view) => {
        for (const notice of notices) {
          for (const earlier of view.notices.rows()) {
            const isOvertaken =
              (notice.kind === 'confirmed' || notice.kind === 'final') &&
              earlier.kind === 'progress' &&
              earlier.deliveredAt === null &&
              earlier.intentId !== null &&
              earlier.intentId === notice.intentId;
            if (isOvertaken) view.notices.set(earlier.id, { ...earlier, deliveredAt: notice.createdAt });
          }
          requireRow(view.users, 'users', notice.userId);
          requireRow(view.intents, 'intents', notice.intentId);
          insertRow(view.notices, 'notices', notice.id, {
            ...notice,
            payload: throughJson(notice.payload),
          });
        }
      }),
    find: (id) => read((view) => view.notices.get(id) ?? null),
    confirmedOf: (intentId) =>
      read(
        (view) =>
          view.notices
            .rows()
            .filter((notice) => notice.intentId === intentId && notice.kind === 'confirmed')
            .toSorted((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null,
      ),
    markDelivered: (id, at) =>
      write((view) => {
        const notice = view.notices.get(id);
        if (notice) view.notices.set(id, { ...notice, deliveredAt: notice.deliveredAt ?? at });
      }),
    begin: (id) =>
      write((view) => {
        const notice = view.notices.get(id);
        if (!notice || notice.deliveredAt !== null) return null;
        const user = view.users.get(notice.userId);
        if (!user) throw new Error('notices: a notice for nobody');
        const begun = { ...notice, attempts: notice.attempts + 1 };
        view.notices.set(id, begun);
        const intent = notice.intentId === null ? undefined : view.intents.get(notice.intentId);
        const wallet = intent && view.wallets.get(intent.walletId);
        return {
          notice: begun,
          user,
          about: intent && wallet ? { intent, wallet, attempts: attemptsOf(view, intent.id) } : null,
          progress: (intent && view.progress.get(intent.id)) ?? null,
        };
      }),
    undelivered: (before, limit) => read((view) => undeliveredNotices(view, before, limit)),
    setProgressMessage: (message) =>
      write((view) => {
        requireRow(view.intents, 'intents', message.intentId);
        view.progress.set(message.intentId, { ...message });
      }),
    progressMessage: (intentId) => read((view) => view.progress.get(intentId) ?? null),
  };
}
