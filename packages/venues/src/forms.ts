import { meteoraDammV2 } from './meteora-damm-v2/forms.ts';
import { meteoraDbc } from './meteora-dbc/forms.ts';
import { meteoraDlmm } from './meteora-dlmm/forms.ts';
import { openbookV2 } from './openbook-v2/forms.ts';
import { orcaWhirlpool } from './orca-whirlpool/forms.ts';
import { pumpFun } from './pump-fun/forms.ts';
import { pumpSwap } from './pump-swap/forms.ts';
import { raydiumAmmV4 } from './raydium-amm-v4/forms.ts';
import { raydiumClmm } from './raydium-clmm/forms.ts';
import { raydiumCpmm } from './raydium-cpmm/forms.ts';
import { raydiumLaunchlab } from './raydium-launchlab/forms.ts';
import type { VenueSwaps } from './shared/venue-swaps.ts';

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

export type { StepVariant, SwapEnds, SwapForm, VenueSwaps } from './shared/venue-swaps.ts';
