import type { Address } from '@tradepost/solana';
import type { PlatformFee } from '../../../engine/fees/use/platform-fee.ts';
import type { TipRules } from '../../../engine/signing/rules/kind-policy.ts';
import type { Chain, MessageCompiler } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { LookupTables } from '../../../platform/ports/lookup-tables.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { AggregatorQuotes } from './aggregator-quotes.ts';
import type { ExitCheck } from './exit-check.ts';
import type { PoolQuarantine } from './pool-quarantine.ts';
import type { PoolRehearsal } from './pool-rehearsal.ts';

/** The dependencies of pricing and assembling a trade, for all callers. */
export type TradingDeps = {
  readonly chain: Chain;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  readonly clock: Clock;
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
  /** Pools that failed lately; a route avoids them. */
  readonly poolQuarantine: PoolQuarantine;
  /** Tokens whose tickers others imitate. */
  readonly wellKnown: readonly WellKnownToken[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly aggregatorQuotes?: AggregatorQuotes;
  /** Rehearses a purchase and a sale of the bought token; absent where that is not wanted. */
  readonly exitCheck?: ExitCheck;
  /** Tries a pool that looks too good before its quote is shown; absent where that is not wanted. */
  readonly poolRehearsal?: PoolRehearsal;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  /** True where routes may go through the public router program; see `SwapOrder`. */
  readonly routerProgram?: boolean;
};

/** A swap that another person signs. */
export type SwapDeps = TradingDeps & {
  readonly compiler: MessageCompiler;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'error'>;
  /** Programs that the venues' swaps may call; a transaction that calls another one is not handed out. */
  readonly venuePrograms: readonly Address[];
  /** Accounts that tips may go to; absent where none is paid. */
  readonly tips?: TipRules;
};

/** A trade of a wallet that the vault signs for. */
export type TradeDeps = TradingDeps & {
  /** Where the platform fee goes. */
  readonly treasury: Address;
  /** The fee of `wallet` for a trade with `gross` lamports on its SOL side; 0 while the treasury could not receive it. */
  readonly platformFee: PlatformFee;
};
