import type { Address } from '../../core/address/address.ts';
import type { Bps } from '../../core/amounts/bps.ts';
import type { Chain, MessageCompiler } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { LookupTables } from '../../core/ports/lookup-tables.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Venue } from '../../core/ports/venue.ts';
import type { WellKnownToken } from '../../core/tokens/safety.ts';
import type { Rivals } from '../aggregators/rivals.ts';
import type { ExitCheck } from './exit-check.ts';

export type SwapDeps = {
  readonly chain: Chain;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  /** Programs that the venues' swaps may call; a transaction that calls another one is not handed out. */
  readonly venuePrograms: readonly Address[];
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  readonly clock: Clock;
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
  readonly log: Pick<Logger, 'error'>;
  readonly ids: Ids;
  /** Tokens whose tickers others imitate. */
  readonly wellKnown: readonly WellKnownToken[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly rivals?: Rivals;
  /** Rehearses a purchase and a sale of the bought token; absent where that is not wanted. */
  readonly exitCheck?: ExitCheck;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  /** True where routes may go through the public router program; see `SwapOrder`. */
  readonly routerProgram?: boolean;
};

/** Sell exactly `amount` units of one mint for another; wrapped SOL stands for native SOL. */
export type PriceRequest = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amount: bigint;
  readonly slippageBps: Bps;
};

export type SwapRequest = PriceRequest & {
  /** Pays, signs and receives. */
  readonly user: Address;
  readonly referrer: Referrer | null;
};

export type Referrer = { readonly wallet: Address; readonly feeBps: Bps };
