import type { Address } from '../address/address.ts';
import { MAX_U64 } from '../amounts/lamports.ts';
import { maxBigint, minBigint } from '../amounts/rounding.ts';
import { AppError } from '../errors/app-error.ts';
import type { Pool } from '../ports/venue.ts';
import { priceImpactBps } from './price-impact.ts';
import type { Route } from './route.ts';

export type SwapOrder = { readonly mintIn: Address; readonly mintOut: Address; readonly amountIn: bigint };

/**
 * The route that brings most units of `mintOut` for exactly `amountIn`, after every fee of venues and mints: today the best
 * single pool. Equal outputs go to the smaller pool id, so the same states give the same route. Never splits the order over
 * transactions. Throws SAME_TOKEN, NO_ROUTE when no pool holds both mints, INSUFFICIENT_LIQUIDITY when those that do are
 * empty, AMOUNT_DUST with the least amount that buys something when `amountIn` rounds to nothing.
 */
export function chooseRoute(pools: readonly Pool[], order: SwapOrder): Route {
  const { mintIn, mintOut, amountIn } = order;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const candidates = pools.filter((pool) => pool.mints.includes(mintIn) && pool.mints.includes(mintOut));
  if (candidates.length === 0) throw new AppError('NO_ROUTE', { mintIn, mintOut });
  let best: { readonly pool: Pool; readonly amountOut: bigint } | null = null;
  for (const pool of candidates) {
    const amountOut = pool.quote(mintIn, amountIn);
    if (amountOut <= 0n) continue;
    const better =
      best === null || amountOut > best.amountOut || (amountOut === best.amountOut && pool.id < best.pool.id);
    if (better) best = { pool, amountOut };
  }
  if (best === null) throw nothingComesOut(candidates, order);
  const { pool, amountOut } = best;
  return {
    mintIn,
    mintOut,
    amountIn,
    amountOut,
    legs: [{ pool, mintIn, mintOut, amountIn, amountOut, shareBps: 10_000 }],
    priceImpactBps: priceImpactBps(pool, mintIn, amountIn, amountOut),
    slot: pool.slot,
  };
}

function nothingComesOut(pools: readonly Pool[], order: SwapOrder): AppError {
  let least: bigint | null = null;
  for (const pool of pools) {
    const minimum = leastInput(pool, order.mintIn);
    if (minimum !== null) least = least === null ? minimum : minBigint(least, minimum);
  }
  return least === null
    ? new AppError('INSUFFICIENT_LIQUIDITY', { mintIn: order.mintIn, mintOut: order.mintOut })
    : new AppError('AMOUNT_DUST', { minimum: least });
}

/** The smallest input for which the pool gives anything, or null when it never does. Quotes do not fall as inputs grow. */
function leastInput(pool: Pool, mintIn: Address): bigint | null {
  if (pool.quote(mintIn, MAX_U64) <= 0n) return null;
  let low = 0n;
  let high = MAX_U64;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (pool.quote(mintIn, middle) > 0n) high = middle;
    else low = middle;
  }
  return maxBigint(1n, high);
}
