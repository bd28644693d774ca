import type { Clock } from '../platform/ports/clock.ts';
import { elapsedSince, markOf } from './time/elapsed.ts';

export type PendingCounts<Row> = {
  /** Adds to what is not written yet. Never waits and never throws. */
  readonly add: (rows: readonly Row[]) => void;
  /** Writes down what is still in memory. Never rejects. */
  readonly flush: () => Promise<void>;
};

/**
 * Counts that are summed in memory and written once they are so old, one writing after the other: nothing waits for a count, and a process
 * that is killed loses the last seconds of its own. Counts that cannot be written are reported and kept for the next time.
 */
export function createPendingCounts<Row>(deps: {
  /** The same for rows that are summed. */
  readonly idOf: (row: Row) => string;
  readonly sumOf: (one: Row, other: Row) => Row;
  readonly write: (rows: readonly Row[]) => Promise<void>;
  readonly flushAfterMs: number;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
}): PendingCounts<Row> {
  const { idOf, sumOf, clock } = deps;
  const counts = new Map<string, Row>();
  let flushedAt = markOf(clock);
  let writing: Promise<void> = Promise.resolve();

  const add = (row: Row): void => {
    const id = idOf(row);
    const known = counts.get(id);
    counts.set(id, known === undefined ? row : sumOf(known, row));
  };
  const write = async (): Promise<void> => {
    const rows = [...counts.values()];
    counts.clear();
    try {
      await deps.write(rows);
    } catch (error) {
      for (const row of rows) add(row);
      deps.onProblem(error);
    }
  };
  const flush = (): Promise<void> => {
    flushedAt = markOf(clock);
    writing = writing.then(write);
    return writing;
  };
  return {
    add: (rows) => {
      for (const row of rows) add(row);
      if (elapsedSince(flushedAt, clock) >= deps.flushAfterMs) void flush();
    },
    flush,
  };
}
