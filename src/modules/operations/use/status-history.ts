import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import { DAY_MS } from '../../points/rules/utc.ts';
import type { HealthDay } from '../rules/health-day.ts';
import type { Incident } from '../rules/incident.ts';
import { HISTORY_DAYS } from '../rules/retention.ts';
import type { HealthStore } from '../store/health-store-port.ts';
import type { IncidentStore } from '../store/incident-store-port.ts';

export type StatusHistory = {
  /** Oldest first. A day of which nothing was measured is left out. */
  readonly days: readonly HealthDay[];
  /** Those that go on, and those of the same days; newest first. */
  readonly incidents: readonly Incident[];
};

/** How long a page waits for it. */
const PATIENCE_MS = 1_500;
/** However many ask, the database is asked once in this time. */
const KEPT_MS = 10_000;

/**
 * The history of the last 90 days, as of at most ten seconds ago. While it cannot be read the last one that could is given, null where there
 * was none: the page has to say so in an outage of the database. Never rejects.
 */
export function createStatusHistory(deps: {
  readonly health: Pick<HealthStore, 'days'>;
  readonly incidents: Pick<IncidentStore, 'list'>;
  readonly clock: Clock;
}): () => Promise<StatusHistory | null> {
  const { health, incidents, clock } = deps;
  let known: StatusHistory | null = null;
  let asked: { readonly at: Mark; readonly answer: Promise<StatusHistory | null> } | null = null;
  const read = async (): Promise<StatusHistory | null> => {
    const since = clock.now() - (HISTORY_DAYS - 1) * DAY_MS;
    try {
      const [days, told] = await Promise.all([health.days(since), incidents.list(since)]);
      known = { days, incidents: told };
    } catch {
      // The part that is down says so itself.
    }
    return known;
  };
  const soon = (reading: Promise<StatusHistory | null>): Promise<StatusHistory | null> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(known), PATIENCE_MS);
      void reading.then(resolve).finally(() => clearTimeout(timer));
    });
  return () => {
    if (asked === null || elapsedSince(asked.at, clock) >= KEPT_MS)
      asked = { at: markOf(clock), answer: soon(read()) };
    return asked.answer;
  };
}
