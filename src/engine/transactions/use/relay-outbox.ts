import { leftAt } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { JobQueue } from '../../../platform/ports/job-queue.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { OutboxRow } from '../store/outbox-store-port.ts';

const BATCH = 100;

export type RelayDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** Reports rows that cannot be read. */
  readonly log?: Pick<Logger, 'warn'>;
};

/** Moves committed requests for jobs into the queue. */
export type Relay = {
  /** Dispatches everything that waits; the number of rows. Throws when the database or the queue cannot be reached. */
  run(): Promise<number>;
  /**
   * Asks for a run soon and returns at once, for use right after a commit, so that a job starts within milliseconds. Never
   * throws and is never relied upon: the sweeper runs the relay too.
   */
  nudge(): void;
  /** Set where this process has the worker role: it carries out itself the jobs of its own commits. */
  here?: JobsHere;
};

/** Jobs that are carried out in the process that committed them, without the outbox and without the queue. */
export type JobsHere = {
  takes(job: OutboxRow): boolean;
  /**
   * Starts them soon, or at their time, and returns at once. Never throws: failed jobs go to the queue, and the sweeper finds lost ones.
   */
  start(jobs: readonly OutboxRow[]): void;
};

/** One relay per process: runs do not overlap, and a nudge during a run causes one more. */
export function createRelay(deps: RelayDeps): Relay {
  let running: Promise<number> | null = null;
  let again = false;

  async function drain(): Promise<number> {
    let total = 0;
    for (;;) {
      again = false;
      const moved = await relayBatch(deps);
      total += moved;
      if (moved < BATCH && !again) return total;
    }
  }

  function run(): Promise<number> {
    if (running !== null) {
      again = true;
      return running;
    }
    running = drain().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    run,
    nudge() {
      run().catch(() => undefined);
    },
  };
}

/** Adding comes before marking: a crash in between adds a job twice, which its key and the database forgive. */
async function relayBatch({ db, queue, clock, log }: RelayDeps): Promise<number> {
  return db.transact(async (stores) => {
    const rows = await stores.outbox.claim(BATCH, ({ details }) =>
      log?.warn(details, 'an outbox row cannot be read and was passed over'),
    );
    for (const row of rows) await add(queue, row, clock.now());
    if (rows.length > 0) {
      await stores.outbox.markDispatched(
        rows.map((row) => row.id),
        clock.now(),
      );
    }
    return rows.length;
  });
}

function add(queue: JobQueue, row: OutboxRow, now: number): Promise<void> {
  const delayMs = row.notBefore === null ? 0 : leftAt(row.notBefore, now);
  return queue.add(row.job, row.data, delayMs === 0 ? { key: row.key } : { key: row.key, delayMs });
}
