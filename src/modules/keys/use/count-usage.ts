import { createPendingCounts } from '../../../core/pending-counts.ts';
import { utcDate } from '../../../core/time/utc-date.ts';
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
  const { add, flush } = createPendingCounts<ApiUsage>({
    idOf: (row) => JSON.stringify([row.account, row.keyId, row.route, row.day, row.status]),
    sumOf: (one, other) => ({ ...one, requests: one.requests + other.requests }),
    write: (rows) => store.add(rows, utcDate(clock.now(), KEPT_DAYS)),
    flushAfterMs: FLUSH_AFTER_MS,
    clock,
    onProblem,
  });

  return {
    count: (request) => add([{ ...request, day: utcDate(clock.now()), requests: 1 }]),
    list: async (account) => {
      await flush();
      return store.list(account, utcDate(clock.now(), SHOWN_DAYS - 1));
    },
    flush,
  };
}
