import type { OutboxRow } from '../../../src/engine/transactions/store/outbox-store-port.ts';
import type { JobsHere } from '../../../src/engine/transactions/use/relay-outbox.ts';
import type { Watch } from '../../../src/engine/watch/use/watch-attempts.ts';
import type {
  JobHandlers,
  JobName,
  JobQueue,
  JobResult,
  Jobs,
} from '../../../src/platform/ports/job-queue.ts';
import type { SimProcess } from './process.ts';
import type { Timeline } from './timeline.ts';

/** The watcher's rounds on virtual time, until the process dies; a stopped one goes on later with what it believed. */
export function keepWatching(watch: Watch, process: SimProcess): void {
  const loop = async (): Promise<void> => {
    for (;;) await process.sleep(Math.min(await watch.round(), 500));
  };
  // It ends with its process, which the sleep says.
  loop().catch(() => undefined);
}

/** Jobs that a process carries out itself: gone with it, and handed to the queue when they cannot be done now. */
export function jobsHere(world: {
  readonly timeline: Timeline;
  readonly process: SimProcess;
  readonly handlers: JobHandlers;
  readonly queue: JobQueue;
}): JobsHere {
  const { timeline, process, handlers, queue } = world;
  async function run({ job, data, key }: OutboxRow): Promise<void> {
    if (!process.isAlive()) return;
    const handler = handlers[job] as (data: Jobs[JobName]) => Promise<JobResult>;
    const result = await handler(data).catch((): JobResult => ({ kind: 'again', afterMs: 500 }));
    if (result.kind === 'done' || !process.isAlive()) return;
    await queue.add(job, data, { key, delayMs: result.afterMs }).catch(() => undefined);
  }
  return {
    takes: ({ job }) => process.isAlive() && (job === 'intent.step' || job === 'notice.send'),
    start: (jobs) => {
      for (const row of jobs) {
        const waitMs = row.notBefore === null ? 1 : Math.max(1, row.notBefore - timeline.now());
        timeline.after(waitMs, () => void run(row));
      }
    },
  };
}
