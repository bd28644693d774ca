import type { SourceCount } from '../rules/source-figures.ts';

/** How often each source of prices offered, won and failed, by day. */
export interface SourceCounts {
  /** Adds to the known counts, also for several processes at once, and forgets days before `keepFrom`. */
  add(counts: readonly SourceCount[], keepFrom: string): Promise<void>;
  /** Every count from that day on, in no order. */
  list(fromDay: string): Promise<readonly SourceCount[]>;
}
