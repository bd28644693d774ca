import type { Stores } from '../../../platform/ports/stores.ts';
import type { OutboxRow } from '../store/outbox-store-port.ts';
import type { Relay } from './relay-outbox.ts';

/** The jobs that a transaction asks for: those this process carries out itself, and how many went to the outbox. */
export type CommittedJobs = { readonly here: readonly OutboxRow[]; readonly outbox: number };

export const NO_JOBS: CommittedJobs = { here: [], outbox: 0 };

/**
 * Stores whose outbox keeps back the jobs that this process carries out itself: a job that its own commit starts needs no row, no message
 * to the queue and no second look at either. If the process dies before the job is done, the queue has in effect lost the job: the sweeper
 * finds the due intent and the undelivered notice. Only jobs that the sweeper can find are kept back.
 */
export function withJobs(
  relay: Pick<Relay, 'here'>,
  stores: Stores,
): { readonly stores: Stores; readonly wanted: CommittedJobs } {
  const wanted: { readonly here: OutboxRow[]; outbox: number } = { here: [], outbox: 0 };
  const { here } = relay;
  const add: Stores['outbox']['add'] = async (rows) => {
    const mine = here === undefined ? [] : rows.filter((row) => here.takes(row));
    const others = rows.filter((row) => !mine.includes(row));
    wanted.here.push(...mine);
    wanted.outbox += others.length;
    if (others.length > 0) await stores.outbox.add(others);
  };
  return { stores: { ...stores, outbox: { ...stores.outbox, add } }, wanted };
}

/** After the commit: starts this process's own jobs, and has the relay look at the rest. */
export function startJobs(relay: Pick<Relay, 'nudge' | 'here'>, jobs: CommittedJobs): void {
  if (jobs.here.length > 0) relay.here?.start(jobs.here);
  if (jobs.outbox > 0) relay.nudge();
}
