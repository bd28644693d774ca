import { type AppError, hasCode, isAppError } from '../../core/errors/app-error.ts';
import type { SwapResult } from './build-swap.ts';
import type { PricedSwap } from './price-swap.ts';
import { rivalWins } from './rival-swap.ts';
import type { SwapDeps } from './swap-request.ts';

/** A swap that was simulated. */
export type Settled = SwapResult & {
  /** See `simulateSwap`; 0 where nothing was built. */
  readonly gained: bigint;
};

/** The one that leaves the trader more. When ours failed, theirs; when both did, ours says why. */
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
  const outcome = ({ swap, gained }: typeof rival) => ({
    priced: swap.priced,
    gained,
    networkLamports: swap.fees.networkLamports,
    newAccountRentLamports: swap.fees.newAccountRentLamports,
  });
  return rivalWins(outcome(rival), outcome(own)) ? rival : own;
}

/**
 * Our own route, simulated. Behind one through the router program, which is somebody else's and changes, stand separate
 * instructions: they are simulated where that one does not fit a transaction or fails, and where it brings less than they
 * promise; then the better of both is given. Throws what the first of them did when both fail.
 */
export async function programOrSeparate(
  { log }: Pick<SwapDeps, 'log'>,
  own: PricedSwap,
  settle: (priced: PricedSwap) => Promise<Settled>,
  separate: () => PricedSwap | AppError,
): Promise<Settled> {
  if (own.route.byProgram !== true) return settle(own);
  const [tried] = await Promise.allSettled([settle(own)]);
  if (tried.status === 'rejected' && !isOfItsForm(tried.reason)) throw tried.reason;
  const brought = tried.status === 'fulfilled' ? broughtLess(tried.value, own) : null;
  if (tried.status === 'fulfilled' && brought === null) return tried.value;
  const other = separate();
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
function broughtLess(settled: Settled, { amountOut }: PricedSwap): bigint | null {
  if (settled.kind !== 'built') return null;
  const differing = settled.swap.warnings.find((warning) => warning.code === 'SIMULATION_DIFFERS');
  if (differing?.code !== 'SIMULATION_DIFFERS' || differing.simulatedAmount >= amountOut) return null;
  return differing.simulatedAmount;
}
