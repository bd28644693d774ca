import { createPendingCounts } from '../../../core/pending-counts.ts';
import { utcDate } from '../../../core/time/utc-date.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { SourceCount } from '../rules/source-figures.ts';
import type { SourceCounts } from '../store/source-counts-port.ts';

export type SourceCounter = {
  /** Counts what one comparison or one failure adds. Never waits and never throws. */
  count(counts: readonly Omit<SourceCount, 'day' | 'quotes'>[]): void;
  /** Writes down the counts that are still in memory. Never rejects. */
  flush(): Promise<void>;
};

const FLUSH_AFTER_MS = 10_000;
const KEPT_DAYS = 90;

/**
 * Counts in memory and writes at most every ten seconds, so that no quote waits for a count: a process that is killed loses the last seconds
 * of its own. Counts that cannot be written now are reported and kept for the next time.
 */
export function createSourceCounter(deps: {
  readonly store: Pick<SourceCounts, 'add'>;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
}): SourceCounter {
  const { store, clock, onProblem } = deps;
  const { add, flush } = createPendingCounts<SourceCount>({
    idOf: (row) => JSON.stringify([row.day, row.pairClass, row.source, row.outcome, row.gainBps]),
    sumOf: (one, other) => ({ ...one, quotes: one.quotes + other.quotes }),
    write: (rows) => store.add(rows, utcDate(clock.now(), KEPT_DAYS - 1)),
    flushAfterMs: FLUSH_AFTER_MS,
    clock,
    onProblem,
  });
  return {
    count: (rows) => {
      const day = utcDate(clock.now());
      add(rows.map((row) => ({ ...row, day, quotes: 1 })));
    },
    flush,
  };
}
