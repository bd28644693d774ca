import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';

/**
 * Pools that failed lately. A quarantined pool is avoided, never forbidden: where nothing else trades it is tried all the same. So a market
 * cannot be closed by making its only pool fail once.
 */
export type PoolQuarantine = {
  /** True while a route shall avoid the pool. */
  holds(pool: Address): boolean;
  /** The pool's own instruction failed in a simulation, and the trade had another way: each time the pause grows. */
  failed(pool: Pick<Pool, 'id' | 'venue'>, why: unknown): void;
  /** A simulation over the pool brought the promised output: nothing is held against it any more. */
  passed(pool: Address): void;
};

type Entry = { readonly times: number; readonly until: number };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long a pool is avoided after its first, second … failure in a row. */
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE] as const;
const LONGEST = 60 * MINUTE;
/** Anybody can open pools that fail. */
const CAPACITY = 2_000;

/** In memory, one per process; each failure is logged with the number of this venue's so far. */
export function createPoolQuarantine({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): PoolQuarantine {
  const entries = new Map<Address, Entry>();
  const failuresOf = new Map<string, number>();
  return {
    holds: (pool) => (entries.get(pool)?.until ?? 0) > clock.now(),
    failed: ({ id, venue }, err) => {
      const times = (entries.get(id)?.times ?? 0) + 1;
      const forMs = PAUSES[times - 1] ?? LONGEST;
      entries.delete(id);
      entries.set(id, { times, until: clock.now() + forMs });
      const [oldest] = entries.keys();
      if (entries.size > CAPACITY && oldest !== undefined) entries.delete(oldest);
      const venueFailures = (failuresOf.get(venue) ?? 0) + 1;
      failuresOf.set(venue, venueFailures);
      log.warn({ err, pool: id, venue, times, forMs, venueFailures }, 'a pool failed and is avoided');
    },
    passed: (pool) => void entries.delete(pool),
  };
}
