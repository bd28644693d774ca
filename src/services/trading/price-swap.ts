import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { type Bps, bps, bpsFloor, minimumOut } from '../../core/amounts/bps.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { LookupTable } from '../../core/lookup-tables/lookup-table.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { chooseRoute } from '../../core/swap/choose-route.ts';
import { hopMarginBps } from '../../core/swap/hop-margin.ts';
import { legMinimums } from '../../core/swap/leg-minimums.ts';
import type { Route } from '../../core/swap/route.ts';
import type { SwapOrder } from '../../core/swap/swap-order.ts';
import type { PriceRequest } from './swap-request.ts';

/** A route with everything its caller is told. Smallest units. */
export type PricedSwap = {
  readonly route: Route;
  /** The least each leg must bring, in the route's order; the instructions enforce it. */
  readonly minimums: readonly bigint[];
  /** What reaches the trader by the quote, net of the referrer's part. */
  readonly amountOut: bigint;
  /** What reaches the trader at least: the minimums of the legs into the output, less the referrer's part. */
  readonly minOut: bigint;
  readonly fee: ReferrerFee;
  /** Tables that its transaction may use: the operator's own, or those that an aggregator's swap needs. */
  readonly lookupTables: readonly LookupTable[];
};

/** Taken from the input when SOL is sold, otherwise from the output. 0 without a referrer, or when it rounds to nothing. */
export type ReferrerFee = { readonly side: 'in' | 'out'; readonly units: bigint };

const NO_FEE = bps(0);

/** What a transaction of our own may use. */
export type RouteMeans = Pick<SwapOrder, 'lookupTables' | 'routerProgram'>;

/**
 * The best route for the request and what is left of it. The referrer's fee follows the quoted amounts, rounded down, and
 * does not follow the price within the slippage. Throws as `chooseRoute`, and AMOUNT_DUST when the fee would eat the output.
 */
export function priceSwap(
  pools: readonly Pool[],
  request: PriceRequest,
  referrerFeeBps: Bps = NO_FEE,
  means: RouteMeans = {},
): PricedSwap {
  const { mintIn, mintOut, amount, slippageBps } = request;
  const amountIn = amount - feeOnInput(mintIn, amount, referrerFeeBps);
  const route = chooseRoute(pools, {
    mintIn,
    mintOut,
    amountIn,
    hopMarginBps: hopMarginBps(slippageBps),
    around: { memo: false, fee: referrerFeeBps > 0 },
    ...means,
  });
  return priceRoute(route, request, referrerFeeBps, means.lookupTables);
}

/** What the referrer takes of the input before anything is swapped: of SOL alone. */
export function feeOnInput(mintIn: Address, amount: bigint, referrerFeeBps: Bps): bigint {
  return mintIn === WSOL_MINT ? bpsFloor(amount, referrerFeeBps) : 0n;
}

/** A route for the request's amount less `feeOnInput`, with everything its caller is told. Throws AMOUNT_DUST as above. */
export function priceRoute(
  route: Route,
  request: PriceRequest,
  referrerFeeBps: Bps = NO_FEE,
  lookupTables: readonly LookupTable[] = [],
): PricedSwap {
  const { mintIn, amount, slippageBps } = request;
  const side = mintIn === WSOL_MINT ? 'in' : 'out';
  const feeIn = feeOnInput(mintIn, amount, referrerFeeBps);
  const feeOut = side === 'out' ? bpsFloor(route.amountOut, referrerFeeBps) : 0n;
  const amountOut = route.amountOut - feeOut;
  if (amountOut <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  // With 100 % slippage the minimum would be nothing at all, and a swap for nothing is never wanted.
  const least = maxBigint(1n, minimumOut(amountOut, slippageBps));
  const minimums = legMinimums(route, least + feeOut);
  const into = minimums.filter((_, index) => route.legs[index]?.leastOut === null);
  return {
    route,
    minimums,
    amountOut,
    minOut: into.reduce((sum, part) => sum + part, 0n) - feeOut,
    fee: { side, units: feeIn + feeOut },
    lookupTables: route.aggregator?.lookupTables ?? lookupTables,
  };
}
