import type { Address } from '../address/address.ts';
import { MAX_U64 } from '../amounts/lamports.ts';
import { maxBigint, minBigint } from '../amounts/rounding.ts';
import { AppError } from '../errors/app-error.ts';
import type { Pool } from '../ports/venue.ts';
import { priceImpactBps } from './price-impact.ts';
import type { Route } from './route.ts';
import { legCostIn, type SplitLeg, splitOrder } from './split-order.ts';
import type { SwapOrder } from './swap-order.ts';

/**
 * The route that brings most units of `mintOut` for exactly `amountIn`, after every fee of venues and mints: the best single
 * pool, or the order split over several where that brings more than the extra pools cost. Every amount is the pools' own
 * exact quote. Equal outputs go to the smaller pool id, so the same states give the same route. Never splits the order over
 * transactions. Throws SAME_TOKEN, NO_ROUTE when no pool holds both mints, INSUFFICIENT_LIQUIDITY when those that do are
 * empty, AMOUNT_DUST with the least amount that buys something when `amountIn` rounds to nothing.
 */
export function chooseRoute(pools: readonly Pool[], order: SwapOrder): Route {
  const { mintIn, mintOut } = order;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const candidates = pools.filter((pool) => pool.mints.includes(mintIn) && pool.mints.includes(mintOut));
  if (candidates.length === 0) throw new AppError('NO_ROUTE', { mintIn, mintOut });
  const single = bestSingle(candidates, order);
  const split = splitOrder(candidates, order);
  const legs = split !== null && isWorth(split, single, legCostIn(candidates, order)) ? split : single;
  if (legs === null) throw nothingComesOut(candidates, order);
  return routeOf(legs, order);
}

function bestSingle(pools: readonly Pool[], { mintIn, amountIn }: SwapOrder): readonly SplitLeg[] | null {
  let best: SplitLeg | null = null;
  for (const pool of pools) {
    const amountOut = pool.quote(mintIn, amountIn);
    if (amountOut <= 0n) continue;
    const better =
      best === null || amountOut > best.amountOut || (amountOut === best.amountOut && pool.id < best.pool.id);
    if (better) best = { pool, amountIn, amountOut };
  }
  return best === null ? null : [best];
}

function isWorth(split: readonly SplitLeg[], single: readonly SplitLeg[] | null, legCost: bigint): boolean {
  const [alone] = single ?? [];
  if (alone === undefined) return true;
  return outOf(split) - legCost * BigInt(split.length - 1) > alone.amountOut;
}

function routeOf(legs: readonly SplitLeg[], { mintIn, mintOut, amountIn }: SwapOrder): Route {
  const amountOut = outOf(legs);
  const percents = wholePercents(legs, amountIn);
  return {
    mintIn,
    mintOut,
    amountIn,
    amountOut,
    legs: legs.map((leg, index) => ({ ...leg, mintIn, mintOut, shareBps: (percents[index] ?? 0) * 100 })),
    // Against the best of the spot rates: what an order of no size would have got.
    priceImpactBps: Math.max(...legs.map(({ pool }) => priceImpactBps(pool, mintIn, amountIn, amountOut))),
    slot: legs.reduce((oldest, { pool }) => minBigint(oldest, pool.slot), legs[0]?.pool.slot ?? 0n),
  };
}

const outOf = (legs: readonly SplitLeg[]): bigint => legs.reduce((sum, leg) => sum + leg.amountOut, 0n);

/** Shares as whole percents that sum to 100: rounded down, then the largest remainders up. */
function wholePercents(legs: readonly SplitLeg[], amountIn: bigint): readonly number[] {
  const floors = legs.map((leg) => (leg.amountIn * 100n) / amountIn);
  const remainders = legs.map((leg, index) => leg.amountIn * 100n - (floors[index] ?? 0n) * amountIn);
  const missing = 100 - Number(floors.reduce((sum, part) => sum + part, 0n));
  const raised = new Set(
    remainders
      .map((remainder, index) => ({ remainder, index }))
      .toSorted((a, b) =>
        a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
      )
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return floors.map((part, index) => Number(part) + (raised.has(index) ? 1 : 0));
}

function nothingComesOut(pools: readonly Pool[], order: SwapOrder): AppError {
  let least: bigint | null = null;
  for (const pool of pools) {
    const minimum = leastInput(pool, order.mintIn);
    if (minimum !== null) least = least === null ? minimum : minBigint(least, minimum);
  }
  return least === null || least <= order.amountIn
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
