import type { Address } from '../../core/address/address.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Venue } from '../../core/ports/venue.ts';
import type { WellKnownToken } from '../../core/tokens/safety.ts';
import type { Rivals } from '../aggregators/rivals.ts';

/** What pricing and building a trade needs. */
export type TradeDeps = {
  readonly chain: Chain;
  readonly venues: readonly Venue[];
  readonly programs: Programs;
  readonly clock: Clock;
  /** Where the platform fee goes. */
  readonly treasury: Address;
  /** The fee on `gross` lamports of a trade's SOL side; 0 while the treasury could not receive it. */
  readonly platformFeeLamports: (gross: bigint) => Promise<bigint>;
  /** Tokens whose tickers others imitate. */
  readonly wellKnown: readonly WellKnownToken[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly rivals?: Rivals;
};
