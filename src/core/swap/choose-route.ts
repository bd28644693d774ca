import { WSOL_MINT } from '../address/programs.ts';
import { LAMPORTS_PER_SIGNATURE, MAX_U64 } from '../amounts/lamports.ts';
import { maxBigint, minBigint } from '../amounts/rounding.ts';
import { AppError } from '../errors/app-error.ts';
import type { Pool } from '../ports/venue.ts';
import { bestChain, pathsOf } from './best-chain.ts';
import { routeImpactBps } from './price-impact.ts';
import type { Route } from './route.ts';
import { createRouteFits } from './route-fits.ts';
import { settleByProgram } from './router-program/settle-by-program.ts';
import { lamportsAs, searchRoute } from './search-route.ts';
import { intermediatesOf, outputOf, remaindersOf, type SettledHop, settleHops } from './settle-hops.ts';
import type { SwapOrder } from './swap-order.ts';
import { wholePercents } from './whole-percents.ts';

const MAX_HOPS = 3;
/** Rent of the account in which a remainder stays. The chain's own figure is asked when the transaction is built. */
const REMAINDER_RENT_LAMPORTS = 2_039_280n;

/**
 * The route that brings most units of `mintOut` for exactly `amountIn`, after every fee of venues and mints: the best single
 * pool, the order split over several, or a way through up to two other tokens, where that brings more than the extra pools
 * cost. A single pool or path is the floor: no search can make it worse. Every amount is the pools' own exact quote, and
 * what later legs spend is what earlier ones surely bring (`settleHops`); or, where `routerProgram` says that the cluster has
 * it, what they bring, if one call of that program leaves more (`settleByProgram`). Equal outputs go to the simpler route, then to the
 * smaller pool id, so the same states give the same route. Never splits the order over transactions. Throws SAME_TOKEN,
 * NO_ROUTE when no way leads from one mint to the other that one transaction holds, INSUFFICIENT_LIQUIDITY when the pools on it are empty, AMOUNT_DUST
 * with the least amount that buys something when `amountIn` rounds to nothing.
 */
export function chooseRoute(pools: readonly Pool[], order: SwapOrder): Route {
  const { mintIn, mintOut } = order;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const direct = pools.filter((pool) => pool.mints.includes(mintIn) && pool.mints.includes(mintOut));
  const hasPaths = pathsOf(pools, order).length > 0;
  if (direct.length === 0 && !hasPaths) throw new AppError('NO_ROUTE', { mintIn, mintOut });

  const legCost = legCostIn(pools, order);
  const rentCost = remainderRentIn(pools, order);
  const worth = (legs: readonly SettledHop[]): bigint =>
    outputOf(legs) -
    legCost * BigInt(legs.length - 1) -
    rentCost * BigInt(remaindersOf(legs).filter(({ mint }) => mint !== WSOL_MINT).length);
  const single = bestSingle(direct, order);
  const through = hasPaths ? searchRoute(pools, order, MAX_HOPS, legCost) : null;
  const candidates = [
    single,
    direct.length > 1 ? searchRoute(direct, order, 1, legCost) : null,
    ...(hasPaths ? [bestChain(pools, order, worth), through] : []),
    ...(hasPaths && order.routerProgram === true ? byProgram(pools, order, worth, through, legCost) : []),
  ];
  let best: readonly SettledHop[] | null = null;
  for (const legs of candidates) {
    if (legs !== null && (best === null || worth(legs) > worth(best))) best = legs;
  }
  if (best === null) throw nothingComesOut(pools, direct, order);
  return routeOf(best, single, order);
}

/**
 * What the router program can execute: the best chain, and the route that was searched for separate instructions, or a search
 * of its own where that one does not go through the program. Without an intermediate token separate instructions do as well.
 */
function byProgram(
  pools: readonly Pool[],
  order: SwapOrder,
  worth: (legs: readonly SettledHop[]) => bigint,
  searched: readonly SettledHop[] | null,
  legCost: bigint,
): readonly (readonly SettledHop[] | null)[] {
  const fits = createRouteFits(order, pools, 'program');
  const form = { settle: settleByProgram, fits };
  const same = settleByProgram(
    (searched ?? []).map((leg) => ({ ...leg, weight: leg.amountIn })),
    order,
  );
  return [
    bestChain(pools, order, worth, { ...form, isUsable: (leg) => fits([leg]) }),
    same !== null && fits(same) ? same : searchRoute(pools, order, MAX_HOPS, legCost, form),
  ].filter((legs) => legs?.some(({ mintIn }) => mintIn !== order.mintIn) === true);
}

/**
 * What another pool in the transaction costs beside its fees, in units of `mintOut`, as far as the pools tell its price in
 * SOL: about a signature's fee, which is what a co-signature or the compute of one more swap comes to.
 */
export function legCostIn(pools: readonly Pool[], { mintOut }: SwapOrder): bigint {
  return lamportsAs(pools, WSOL_MINT, mintOut, LAMPORTS_PER_SIGNATURE);
}

/** What an account that stays open for a remainder costs, in units of `mintOut`: its rent. */
function remainderRentIn(pools: readonly Pool[], { mintOut }: SwapOrder): bigint {
  return lamportsAs(pools, WSOL_MINT, mintOut, REMAINDER_RENT_LAMPORTS);
}

function bestSingle(pools: readonly Pool[], order: SwapOrder): readonly SettledHop[] | null {
  const { mintIn, mintOut } = order;
  let best: SettledHop | null = null;
  for (const pool of pools) {
    const [leg] = settleHops([{ pool, mintIn, mintOut, weight: 1n }], order) ?? [];
    if (leg === undefined) continue;
    const better =
      best === null ||
      leg.amountOut > best.amountOut ||
      (leg.amountOut === best.amountOut && pool.id < best.pool.id);
    if (better) best = leg;
  }
  return best === null ? null : [best];
}

function routeOf(
  legs: readonly SettledHop[],
  single: readonly SettledHop[] | null,
  { mintIn, mintOut, amountIn }: SwapOrder,
): Route {
  const shares = new Map<SettledHop, number>();
  for (const mint of new Set(legs.map((leg) => leg.mintIn))) {
    const group = legs.filter((leg) => leg.mintIn === mint);
    const percents = wholePercents(group.map((leg) => leg.amountIn));
    for (const [index, leg] of group.entries()) shares.set(leg, leg.percent ?? percents[index] ?? 0);
  }
  return {
    mintIn,
    mintOut,
    amountIn,
    amountOut: outputOf(legs),
    legs: legs.map((leg) => ({ ...leg, shareBps: (shares.get(leg) ?? 0) * 100 })),
    ...(legs.every(({ percent }) => percent !== undefined) ? { byProgram: true } : {}),
    intermediates: intermediatesOf(legs),
    remainders: remaindersOf(legs),
    singlePoolOut: single === null ? null : outputOf(single),
    priceImpactBps: routeImpactBps(legs, mintIn, mintOut, amountIn),
    slot: legs.reduce((oldest, { pool }) => minBigint(oldest, pool.slot), legs[0]?.pool.slot ?? 0n),
  };
}

function nothingComesOut(pools: readonly Pool[], direct: readonly Pool[], order: SwapOrder): AppError {
  const { mintIn, mintOut } = order;
  const leasts = [
    ...direct.map((pool) => leastInput((amount) => pool.quote(mintIn, amount) > 0n)),
    leastInput(
      (amountIn) => bestChain(pools, { ...order, amountIn }, outputOf, { fits: () => true }) !== null,
    ),
  ].filter((least) => least !== null);
  const least = leasts.reduce<bigint | null>(
    (smallest, one) => (smallest === null ? one : minBigint(smallest, one)),
    null,
  );
  // Something would come out, but by no way that one transaction holds.
  if (least !== null && least <= order.amountIn) return new AppError('NO_ROUTE', { mintIn, mintOut });
  return least === null
    ? new AppError('INSUFFICIENT_LIQUIDITY', { mintIn, mintOut })
    : new AppError('AMOUNT_DUST', { minimum: least });
}

/** The smallest input that gives anything, or null when none does. What comes out does not fall as inputs grow. */
function leastInput(gives: (amountIn: bigint) => boolean): bigint | null {
  if (!gives(MAX_U64)) return null;
  let low = 0n;
  let high = MAX_U64;
  while (high - low > 1n) {
    const intermediate = (low + high) / 2n;
    if (gives(intermediate)) high = intermediate;
    else low = intermediate;
  }
  return maxBigint(1n, high);
}
