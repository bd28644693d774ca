import { LAMPORTS_PER_SIGNATURE, minBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { AppError } from '../../../core/errors/app-error.ts';
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

/**
 * The route that brings most units of `mintOut` for exactly `amountIn`, after every fee of venues and mints. It is the best single pool,
 * the order split over several, or a way through up to two other tokens, where that brings more than the extra pools cost. A single pool or
 * path is the floor: no search can make it worse. Every amount is the pools' own exact quote, and later legs spend the certain output of
 * earlier ones (`settleHops`). Where `routerProgram` says that the cluster has it, they spend the whole output, if one call of that program
 * leaves more (`settleByProgram`). Equal outputs go to the simpler route, then to the smaller pool id, so the same states give the same
 * route. Never splits the order over transactions. Throws SAME_TOKEN, NO_ROUTE when no way leads from one mint to the other, and
 * ROUTE_TOO_LARGE when none that brings something fits one transaction. Throws AMOUNT_DUST with the least amount that buys something,
 * AMOUNT_ABOVE_DEPTH with the greatest, and INSUFFICIENT_LIQUIDITY when no amount does.
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
 * The routes that the router program can execute. They are the best chain, and the route that was searched for separate instructions. Where
 * that one does not go through the program, a search of its own replaces it. Without an intermediate token separate instructions do as
 * well.
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
 * The cost of another pool in the transaction beside its fees, in units of `mintOut`, as far as the pools give its price in SOL. It is
 * about a signature's fee: the cost of a co-signature or of one more swap's compute.
 */
export function legCostIn(pools: readonly Pool[], { mintOut }: SwapOrder): bigint {
  return lamportsAs(pools, WSOL_MINT, mintOut, LAMPORTS_PER_SIGNATURE);
}

/** The cost of an account that stays open for a remainder, in units of `mintOut`: its rent. */
function remainderRentIn(pools: readonly Pool[], { mintOut, tokenAccountRent = 0n }: SwapOrder): bigint {
  return lamportsAs(pools, WSOL_MINT, mintOut, tokenAccountRent);
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

/** Pools that are asked for the reason: the question is asked of each some hundred times. */
const REASONED_POOLS = 24;
const MOST_ASKED = 1n << 63n;

/**
 * Why nothing comes out. A pool takes amounts within an interval, so the reason is looked for upwards from the amount, then downwards:
 * too little, too much, or nothing at all; or a way that no transaction holds.
 */
function nothingComesOut(pools: readonly Pool[], direct: readonly Pool[], order: SwapOrder): AppError {
  const { mintIn, mintOut, amountIn } = order;
  const [few, straight] = [pools.slice(0, REASONED_POOLS), direct.slice(0, REASONED_POOLS)];
  const gives = (amount: bigint): boolean =>
    straight.some((pool) => pool.quote(mintIn, amount) > 0n) ||
    bestChain(few, { ...order, amountIn: amount }, outputOf, { fits: () => true }) !== null;
  if (gives(amountIn)) return new AppError('ROUTE_TOO_LARGE', { mintIn, mintOut });
  for (let [less, more] = [amountIn, amountIn * 2n]; less < MOST_ASKED; [less, more] = [more, more * 2n])
    if (gives(more)) return new AppError('AMOUNT_DUST', { minimum: edge(more, less, gives), mint: mintIn });
  for (let [more, less] = [amountIn, amountIn / 2n]; less > 0n; [more, less] = [less, less / 2n])
    if (gives(less))
      return new AppError('AMOUNT_ABOVE_DEPTH', { maximum: edge(less, more, gives), mint: mintIn });
  return new AppError('INSUFFICIENT_LIQUIDITY', { mintIn, mintOut });
}

/** The last amount on the way from `inside`, which gives, to `outside`, which does not, that still gives. */
function edge(inside: bigint, outside: bigint, gives: (amount: bigint) => boolean): bigint {
  let [within, beyond] = [inside, outside];
  while ((within > beyond ? within - beyond : beyond - within) > 1n) {
    const between = (within + beyond) / 2n;
    if (gives(between)) within = between;
    else beyond = between;
  }
  return within;
}
