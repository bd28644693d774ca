import { isAppError } from '../../../core/errors/app-error.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { PoolFeed } from '../../../platform/ports/pool-feed.ts';
import type { SolUsd } from '../../orders/rules/trigger.ts';
import { solUsdNow } from '../../orders/use/order-deps.ts';
import { type Alert, afterStep } from '../rules/alert.ts';
import { encodeAlertEnded, encodeAlertNotice } from '../rules/alert-notice.ts';
import { type AlertBook, createAlertBook, type DueAlert } from './alert-book.ts';
import type { AlertDeps } from './alert-deps.ts';

/** How often the open alerts are read anew. An alert placed by this process is known at once. */
const ROUND_MS = 15_000;
const EXPIRE_MS = 60_000;

export type AlertWatchDeps = AlertDeps & {
  readonly feed: PoolFeed;
  readonly onChange: (listener: () => void) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

export type AlertWatch = {
  /** One round: reads the open alerts anew. Milliseconds until the next one; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  /** Open alerts in memory. */
  size(): number;
  stop(): Promise<void>;
};

/**
 * Compares open alerts with the price that the card shows, and reports each crossing once. Several processes may do so beside each other:
 * the row is changed only as it was read, in the commit that adds the notice, so that one of them reports it.
 */
export function createAlertWatch(deps: AlertWatchDeps): AlertWatch {
  const { clock, feed } = deps;
  const book = createAlertBook();
  const writing = new Set<Promise<void>>();
  let solUsd: SolUsd | null = null;
  let expireAt = 0;
  let poke = (): void => undefined;

  deps.onChange(() => poke());
  feed.onPools((told) => {
    for (const due of book.look(told, solUsd)) {
      const done = tell(deps, due)
        .then((after) => {
          // Where another writer was faster it is read again with the next round.
          if (after?.status === 'OPEN') book.put(after);
        })
        .catch((err: unknown) => deps.log.warn({ alert: due.alert.id, err }, 'an alert could not be written'))
        .finally(() => writing.delete(done));
      writing.add(done);
    }
    feed.watch(book.nearness());
  });

  return {
    round: async () => {
      try {
        const now = clock.now();
        if (now >= expireAt) {
          expireAt = now + EXPIRE_MS;
          await endAlerts(deps, now);
        }
        // A read from before the end of a write would bring back the old row.
        await Promise.all(writing);
        await reload(deps, book);
        if (book.size() > 0) solUsd = await solUsdNow(deps);
        feed.watch(book.nearness());
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'alerts could not be read');
      }
      return ROUND_MS;
    },
    onAdd: (listener) => {
      poke = listener;
    },
    size: () => book.size(),
    stop: async () => {
      await feed.stop();
      await Promise.all(writing);
    },
  };
}

/** Ends the alerts whose time is over and says so, in one commit: a person who waits for a price must know that the watch has ended. */
async function endAlerts(deps: AlertWatchDeps, now: number): Promise<void> {
  const ended = await deps.db.transact(async (stores) => {
    const alerts = await stores.alerts.expire(now);
    const notices = alerts.map(({ id, userId }) => ({
      userId,
      intentId: null,
      kind: 'alert-ended' as const,
      payload: encodeAlertEnded(id),
    }));
    await addNotices(deps, stores, notices);
    return alerts;
  });
  if (ended.length > 0) deps.nudge();
}

async function reload({ db, clock, trade }: AlertWatchDeps, book: AlertBook): Promise<void> {
  const open = await db.alerts.allOpen(clock.now());
  const unknown = [...new Set(open.map(({ mint }) => mint))].filter((mint) => !book.knows(mint));
  const tokens = await Promise.all(unknown.map((mint) => trade.chain.token(mint)));
  book.load(
    open,
    tokens.filter((token) => token !== null),
  );
}

/** The row after it; null where it was changed meanwhile, and no notice is sent then. */
async function tell(deps: AlertWatchDeps, { alert, does, seen }: DueAlert): Promise<Alert | null> {
  const after = afterStep(alert, does, deps.clock.now());
  const isWritten = await deps.db.transact(async (stores) => {
    if (!(await stores.alerts.replace(after))) return false;
    if (does === 'arm') return true;
    const payload = encodeAlertNotice({ alertId: alert.id, n: after.told, seen });
    await addNotices(deps, stores, [{ userId: alert.userId, intentId: null, kind: 'alert', payload }]);
    return true;
  });
  if (isWritten && does === 'tell') deps.nudge();
  return isWritten ? after : null;
}
