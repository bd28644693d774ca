import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { ApiUsage, ApiUsageStore } from '../store/api-usage-store-port.ts';

export type UsageCounter = {
  /** Counts one request, refused ones included. Never waits and never throws. */
  count(request: Pick<ApiUsage, 'account' | 'keyId' | 'route' | 'status'>): void;
  /** The requests of an account's keys in the last 30 days, this process's latest included. */
  list(account: string): Promise<readonly ApiUsage[]>;
  /** Writes down the counts that are still in memory. */
  flush(): Promise<void>;
};

const FLUSH_AFTER_MS = 5_000;
const SHOWN_DAYS = 30;
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Counts in memory and writes every five seconds, so that no request waits for a count: a process that is killed loses the last seconds of
 * its own. Counts that cannot be written now are reported and kept for the next time.
 */
export function createUsageCounter(deps: {
  readonly store: ApiUsageStore;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
}): UsageCounter {
  const { store, clock, onProblem } = deps;
  const counts = new Map<string, ApiUsage>();
  let flushedAt = markOf(clock);
  let writing: Promise<void> = Promise.resolve();

  const dayBefore = (days: number): string =>
    new Date(clock.now() - days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const add = (row: ApiUsage): void => {
    const id = JSON.stringify([row.account, row.keyId, row.route, row.day, row.status]);
    counts.set(id, { ...row, requests: (counts.get(id)?.requests ?? 0) + row.requests });
  };
  const write = async (): Promise<void> => {
    const rows = [...counts.values()];
    counts.clear();
    try {
      await store.add(rows, dayBefore(KEPT_DAYS));
    } catch (error) {
      for (const row of rows) add(row);
      onProblem(error);
    }
  };
  const flush = (): Promise<void> => {
    flushedAt = markOf(clock);
    writing = writing.then(write);
    return writing;
  };

  return {
    count: (request) => {
      add({ ...request, day: dayBefore(0), requests: 1 });
      if (elapsedSince(flushedAt, clock) >= FLUSH_AFTER_MS) void flush();
    },
    list: async (account) => {
      await flush();
      return store.list(account, dayBefore(SHOWN_DAYS - 1));
    },
    flush,
  };
}
