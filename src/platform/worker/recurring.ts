import { keysOf } from '../../core/records.ts';
import type { JobHandlers, JobName } from '../ports/job-queue.ts';
import { runJob } from '../ports/job-queue.ts';

/** The pause between two looks for due jobs. */
const TICK_MS = 500;

/**
 * Runs jobs that come by themselves, each once per its period over all processes: the process that `isFirst` runs them, without asking the
 * queue. In the moment in which that passes from one process to another a job may run twice or a little late, which all of them bear.
 * `stop` resolves when none runs any more.
 */
export function startRecurring(
  handlers: JobHandlers,
  every: Partial<Record<JobName, number>>,
  isFirst: () => boolean,
): { stop(): Promise<void> } {
  const running = new Map<string, Promise<unknown>>();
  const lastRun = new Map<string, number>();
  const tick = (): void => {
    if (!isFirst()) return;
    const at = performance.now();
    for (const name of keysOf(every)) {
      const periodMs = every[name] ?? Number.POSITIVE_INFINITY;
      if (running.has(name) || at - (lastRun.get(name) ?? Number.NEGATIVE_INFINITY) < periodMs) continue;
      lastRun.set(name, at);
      // The handler has logged the error; the next period is the repeat.
      const job = runJob(handlers, name, {})
        .catch(() => undefined)
        .finally(() => running.delete(name));
      running.set(name, job);
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
