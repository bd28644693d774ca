import type { Address } from '../../core/address/address.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { LookupTables } from '../../core/ports/lookup-tables.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Venue } from '../../core/ports/venue.ts';
import type { WellKnownToken } from '../../core/tokens/safety.ts';
import type { Rivals } from '../aggregators/rivals.ts';
import type { PlatformFee } from '../treasury/platform-fee.ts';
import type { ExitCheck } from './exit-check.ts';

/** What pricing and building a trade needs. */
export type TradeDeps = {
  readonly chain: Chain;
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  readonly programs: Programs;
  readonly clock: Clock;
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
  /** Where the platform fee goes. */
  readonly treasury: Address;
  /** What `wallet` pays for a trade with `gross` lamports on its SOL side; 0 while the treasury could not receive it. */
  readonly platformFee: PlatformFee;
  /** Tokens whose tickers others imitate. */
  readonly wellKnown: readonly WellKnownToken[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly rivals?: Rivals;
  /** Rehearses a purchase and a sale; absent where only quotes are wanted. */
  readonly exitCheck?: ExitCheck;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  /** True where routes may go through the public router program; see `SwapOrder`. */
  readonly routerProgram?: boolean;
};
