import { WSOL_MINT } from '../../core/address/programs.ts';
import { type AppError, hasCode, isAppError } from '../../core/errors/app-error.ts';
import type { SwapResult } from './build-swap.ts';
import type { PricedTrade } from './price-route.ts';
import type { SwapDeps } from './trading-deps.ts';

/** A swap that was simulated. */
export type Settled = SwapResult & {
  /** See `measureSwap`; 0 where nothing was built. */
  readonly gained: bigint;
};

/** The one that leaves the trader more; equal ones go to our own. When ours failed, theirs; when both did, ours says why. */
export function betterOf(
  ours: PromiseSettledResult<Settled>,
  theirs: PromiseSettledResult<Settled | null>,
): Settled {
  const rival = theirs.status === 'fulfilled' && theirs.value?.kind === 'built' ? theirs.value : null;
  if (ours.status === 'rejected') {
    if (rival === null || !isAppError(ours.reason)) throw ours.reason;
    return rival;
  }
  const own = ours.value;
  if (rival === null || own.kind !== 'built') return own;
  return netOf(rival) > netOf(own) ? rival : own;
}

/**
 * What a swap leaves the trader, by what its simulation brought and not by what was promised, after network fees and rent as
 * far as a side is SOL.
 */
function netOf({ swap, gained }: Extract<Settled, { kind: 'built' }>): bigint {
  const { mintIn, mintOut, amountIn, amountOut } = swap.priced.route;
  const { networkLamports, newAccountRentLamports } = swap.fees;
  // What a wallet gained in lamports is net of rent already.
  if (mintOut === WSOL_MINT) return gained - networkLamports;
  if (mintIn !== WSOL_MINT || amountIn === 0n) return gained;
  return gained - ((networkLamports + newAccountRentLamports) * amountOut) / amountIn;
}

/**
 * Our own route, simulated. Behind one through the router program, which is somebody else's and changes, stand separate
 * instructions: they are simulated where that one does not fit a transaction or fails, and where it brings less than they
 * promise; then the better of both is given. Throws what the first of them did when both fail.
 */
export async function programOrSeparate(
  { log }: Pick<SwapDeps, 'log'>,
  own: PricedTrade,
  settle: (priced: PricedTrade) => Promise<Settled>,
  separate: () => Promise<PricedTrade | AppError>,
): Promise<Settled> {
  if (own.route.byProgram !== true) return settle(own);
  const [tried] = await Promise.allSettled([settle(own)]);
  if (tried.status === 'rejected' && !isOfItsForm(tried.reason)) throw tried.reason;
  const brought = tried.status === 'fulfilled' ? broughtLess(tried.value, own) : null;
  if (tried.status === 'fulfilled' && brought === null) return tried.value;
  const other = await separate();
  if (isAppError(other) || (brought !== null && brought >= other.amountOut)) {
    if (tried.status === 'rejected') throw tried.reason;
    return tried.value;
  }
  if (tried.status === 'rejected' && !hasCode(tried.reason, 'PRICE_MOVED')) {
    const { mintIn, mintOut, legs } = own.route;
    const venues = [...new Set(legs.map(({ pool }) => pool.venue))];
    log.error({ err: tried.reason, venues, mintIn, mintOut }, 'a route by the router program was refused');
  }
  const [instead] = await Promise.allSettled([settle(other)]);
  if (tried.status === 'rejected' && instead.status === 'fulfilled') return instead.value;
  return betterOf(tried, instead);
}

/** Whether separate instructions may do better: not where the trader lacks the money, whatever the form. */
function isOfItsForm(error: unknown): boolean {
  return (
    !isAppError(error) ||
    hasCode(error, 'PRICE_MOVED') ||
    hasCode(error, 'SIMULATION_FAILED') ||
    hasCode(error, 'POLICY_DENIED')
  );
}

/** What the simulation brought, where that is less than the quote; null elsewhere, and where SOL hides it behind fees. */
function broughtLess(settled: Settled, { amountOut }: PricedTrade): bigint | null {
  if (settled.kind !== 'built') return null;
  const differing = settled.swap.warnings.find((warning) => warning.code === 'SIMULATION_DIFFERS');
  if (differing?.code !== 'SIMULATION_DIFFERS' || differing.simulatedAmount >= amountOut) return null;
  return differing.simulatedAmount;
}
