import { WSOL_MINT } from '@tradepost/solana';
import { AppError, isAppError } from '../../../core/errors/app-error.ts';
import type { TradePlan } from './assemble-trade.ts';
import type { SwapResult } from './build-swap.ts';
import type { MeasuredSwap } from './measure-swap.ts';
import type { OwnPlan } from './own-plan.ts';

/** A swap that was simulated. */
export type Settled = Extract<SwapResult, { kind: 'built' }> & Pick<MeasuredSwap, 'gained' | 'simulatedOut'>;

/** The one that leaves the trader more; equal ones go to our own. When ours failed, theirs; when both did, ours says why. */
export function betterOf(
  ours: PromiseSettledResult<Settled>,
  theirs: PromiseSettledResult<Settled | null>,
): Settled {
  const other = theirs.status === 'fulfilled' ? theirs.value : null;
  if (ours.status === 'rejected') {
    if (other === null || !isAppError(ours.reason)) throw ours.reason;
    return other;
  }
  const own = ours.value;
  if (other === null) return own;
  return netOf(other) > netOf(own) ? other : own;
}

/**
 * The trader's net from a swap, by the gain in its simulation and not by the promise, after network fees and rent as far as a side is SOL.
 */
function netOf({ swap, gained }: Settled): bigint {
  const { mintIn, mintOut, amountIn, amountOut } = swap.priced.route;
  const { networkLamports, newAccountRentLamports } = swap.fees;
  // A wallet's gain in lamports is net of rent already.
  if (mintOut === WSOL_MINT) return gained - networkLamports;
  if (mintIn !== WSOL_MINT || amountIn === 0n) return gained;
  return gained - ((networkLamports + newAccountRentLamports) * amountOut) / amountIn;
}

/**
 * A settled swap, or separate instructions instead of a route through the router program where those promise more than that one brought:
 * the better of both.
 */
export async function orSeparate(
  plan: OwnPlan,
  settled: Settled,
  settle: (plan: TradePlan) => Promise<Settled>,
): Promise<Settled> {
  const { simulatedOut } = settled;
  const isLess = simulatedOut !== null && simulatedOut < plan.priced.amountOut;
  if (plan.priced.route.byProgram !== true || !isLess) return settled;
  const moved = new AppError('PRICE_MOVED', { minOut: plan.priced.amountOut, got: simulatedOut });
  const other = await plan.instead(moved).catch(() => null);
  if (other === null || simulatedOut >= other.priced.amountOut) return settled;
  return betterOf({ status: 'fulfilled', value: settled }, ...(await Promise.allSettled([settle(other)])));
}
