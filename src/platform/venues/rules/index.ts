import { meteoraDammV2 } from './meteora-damm-v2.ts';
import { meteoraDbc } from './meteora-dbc.ts';
import { meteoraDlmm } from './meteora-dlmm.ts';
import { openbookV2 } from './openbook-v2.ts';
import { orcaWhirlpool } from './orca-whirlpool.ts';
import { pumpFun } from './pump-fun.ts';
import { pumpSwap } from './pump-swap.ts';
import { raydiumAmmV4 } from './raydium-amm-v4.ts';
import { raydiumClmm } from './raydium-clmm.ts';
import { raydiumCpmm } from './raydium-cpmm.ts';
import { raydiumLaunchlab } from './raydium-launchlab.ts';
import type { VenueSwaps } from './venue-swaps.ts';

/**
 * Every venue's declaration: one file and one line here per venue. Only swaps that were executed on real builds of the programs
 * (docs/venues.md). A venue whose instruction is declared nowhere trades nothing: the meaning of its bytes could not be judged. Source of
 * truth: the programs' IDLs, and for steps the router's own `Swap` enum; it retires some over the years and then fails, so each transaction
 * is simulated and another form is behind it.
 */
export const VENUES: readonly VenueSwaps[] = [
  raydiumAmmV4,
  raydiumCpmm,
  raydiumClmm,
  raydiumLaunchlab,
  orcaWhirlpool,
  meteoraDlmm,
  meteoraDammV2,
  meteoraDbc,
  openbookV2,
  pumpSwap,
  pumpFun,
];

/** The programs of all venues, for a process that reaches no venue itself. A test compares the list with theirs. */
export const VENUE_PROGRAMS = VENUES.map(({ program }) => program);
