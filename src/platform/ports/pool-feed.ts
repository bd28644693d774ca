import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';

/** Every pool on the ways between a token and SOL, as of one slot. */
export type PoolsOfToken = {
  readonly mint: Address;
  readonly pools: readonly Pool[];
  /** The oldest among the states. */
  readonly slot: bigint;
  /** Epoch milliseconds at which this was the newest known. */
  readonly at: number;
  /** `followed`: no slot is left out. `polled`: looked at now and then. */
  readonly how: 'followed' | 'polled';
};

/** How near a token's nearest trigger is, in hundredths of a percent of the price; 0 = a window is open. */
export type Nearness = ReadonlyMap<Address, number>;

/** Reports pools that changed, those that this process follows. A hint to look: not every change is reported. */
export type PoolChanges = {
  readonly onChange: (listener: (pools: ReadonlySet<Address>) => void) => void;
};

/**
 * Pools of watched tokens as they change. Unreadable pools are not reported: the listener counts the time since the last report. A feed of
 * another kind (a node's own stream) can replace this one behind this interface.
 */
export interface PoolFeed {
  /** Watches exactly these from now on. */
  watch(wanted: Nearness): void;
  onPools(listener: (told: PoolsOfToken) => void): void;
  /** Resolves when nothing is read any more. */
  stop(): Promise<void>;
}
