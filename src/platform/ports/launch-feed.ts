import type { PadFeed } from '@tradepost/venues';
import type { ReadLevel } from './transaction-source.ts';

/** The launchpads of this cluster, read within one budget of calls. */
export interface LaunchFeed {
  readonly pads: readonly PadFeed[];
  /** Newest slot that is read completely. Throws CHAIN_UNREACHABLE. */
  horizon(level: ReadLevel): Promise<bigint>;
}
