import { maxBigint } from '@tradepost/solana';
import { type Bps, bps, minimumOut } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Fee } from '../../../engine/fees/use/platform-fee.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import { legMinimums } from '../rules/leg-minimums.ts';
import type { Route } from '../rules/route.ts';
import type { SwapOrder } from '../rules/swap-order.ts';
import type { SwapTerms } from './swap-terms.ts';

/** A route with all facts for its asker. Smallest units. */
export type PricedTrade = {
  readonly route: Route;
  /** The least each leg must bring, in the route's order; the instructions enforce it. */
  readonly minimums: readonly bigint[];
  /** The units that reach the trader by the quote, net of the fee. */
  readonly amountOut: bigint;
  /** The units that must reach the trader: by the slippage, or as agreed where that is more. */
  readonly leastOut: bigint;
  /** The minimum that the instructions enforce: `leastOut`, and the excess from rounding up each leg's part of it. */
  readonly minOut: bigint;
  /** Taken from the input or from the output; 0 when there is none, or when it rounds to nothing. */
  readonly fee: { readonly side: 'in' | 'out'; readonly units: bigint };
  readonly discountBps: Bps;
  /** Tables that its transaction may use: the operator's own, or those that an aggregator's swap needs. */
  readonly lookupTables: readonly LookupTable[];
  /** Whether its transaction may be of version 1. */
  readonly version1: boolean;
};

/**
 * A route for the terms' amount less a fee on it, from any source. The fee follows the quoted amounts and does not follow the price within
 * the slippage. Throws AMOUNT_DUST when the fee would eat the output, PRICE_MOVED below the agreed minimum.
 */
export async function priceRoute(
  route: Route,
  terms: SwapTerms,
  { lookupTables = [], version1 = false }: Pick<SwapOrder, 'lookupTables' | 'version1'> = {},
): Promise<PricedTrade> {
  const { fee } = terms;
  const taken: Fee = fee.side === 'in' ? fee.fee : await fee.of(route.amountOut);
  const feeOut = fee.side === 'out' ? taken.lamports : 0n;
  const amountOut = route.amountOut - feeOut;
  if (amountOut <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  const agreed = terms.agreedOut ?? 0n;
  if (amountOut < agreed) throw new AppError('PRICE_MOVED', { minOut: agreed, got: amountOut });
  // With 100 % slippage the minimum would be nothing at all, and a swap for nothing is never wanted.
  const leastOut = maxBigint(1n, maxBigint(agreed, minimumOut(amountOut, terms.slippageBps)));
  const minimums = legMinimums(route, leastOut + feeOut);
  const into = minimums.filter((_, index) => route.legs[index]?.leastOut === null);
  return {
    route,
    minimums,
    amountOut,
    leastOut,
    minOut: into.reduce((sum, part) => sum + part, 0n) - feeOut,
    fee: { side: fee.side, units: taken.lamports },
    discountBps: taken.discountBps,
    lookupTables: route.aggregator?.lookupTables ?? lookupTables,
    version1: route.aggregator === undefined && version1,
  };
}

/** The numbers that a person confirms and that a receipt shows. */
export function tradeTerms(
  { route, amountOut, leastOut, fee, discountBps }: PricedTrade,
  { amount, slippageBps }: Pick<SwapTerms, 'amount' | 'slippageBps'>,
): TradeTerms {
  return {
    amountIn: amount,
    quotedOut: amountOut,
    minOut: leastOut,
    platformFeeLamports: fee.units,
    ...(discountBps === 0 ? {} : { feeDiscountBps: discountBps }),
    priceImpactBps: route.priceImpactBps,
    slippageBps,
    route: route.legs.map((leg) => ({
      venue: leg.pool.label,
      pool: leg.pool.id,
      percent: leg.shareBps / 100,
      from: leg.mintIn === route.mintIn ? null : leg.mintIn,
      to: leg.mintOut === route.mintOut ? null : leg.mintOut,
      pausedBy: `${route.aggregator === undefined ? 'venue' : 'aggregator'}:${leg.pool.venue}`,
    })),
  };
}

/** The fee of a fresh quote, but never above the confirmed one: a discount that ended since still holds. */
export function notAbove(fresh: Fee, confirmed: TradeTerms): Fee {
  return fresh.lamports <= confirmed.platformFeeLamports
    ? fresh
    : { lamports: confirmed.platformFeeLamports, discountBps: bps(confirmed.feeDiscountBps ?? 0) };
}
