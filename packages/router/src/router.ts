import { type BestPath, bestPath } from './best-path.ts';
import type { DualSolution } from './dual-problem.ts';
import { candidatesAround, plansFrom } from './ensemble.ts';
import { fillHops, type Hops } from './hops.ts';
import { type Route, settle } from './integers.ts';
import { LIVE_LIMITS, type Limits } from './limits.ts';
import { createMarketIndex, type Market } from './market.ts';
import { createDualSolver } from './newton.ts';
import type { Order } from './order.ts';
import { type Plan, pathPlan, reachOf } from './plan.ts';
import type { RoutablePool } from './routable-pool.ts';
import type { Search, Solved } from './search.ts';
import type { SolutionMemo } from './solution-memo.ts';

/** A leg as `fits` sees it, before amounts are rounded. */
export type PlannedLeg = { readonly pool: string; readonly tokenIn: string; readonly tokenOut: string };

export type RouteRequest = {
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** Units of `tokenIn`, above 0. */
  readonly amountIn: bigint;
  /** Most pools the route may use, 1 to 16. */
  readonly maxPools: number;
  /** Most pools one unit may pass through, 1 to 4. */
  readonly maxHops: number;
  /** The cost of every leg beside its fees, in units of `tokenOut`. */
  readonly legCost?: bigint;
  /** The cost of every intermediate token (rent of an account that is missing), in units of `tokenOut`. */
  readonly intermediateCost?: bigint;
  /** True when these legs can be executed as one transaction: bytes, accounts, compute. Must be deterministic. */
  readonly fits?: (legs: readonly PlannedLeg[]) => boolean;
};

/** Finds routes over pools held in memory. Deterministic: the same pools and request give the same route. */
export interface Router {
  /** Adds a pool or replaces its state; a state change rebuilds that pool's curves only. */
  update(pool: RoutablePool): void;
  /** Takes a pool out of all later routes. False when it is unknown. */
  remove(poolId: string): boolean;
  /**
   * The route with the largest output less fixed costs that the search finds: never less than the best single path of up to three pools, each
   * pool used at most once, amounts exact by the pools' own quotes. Legs may spend less than `amountIn` in sum only when
   * the pools cannot use more. Null when no route gives anything or none fits. Throws a RangeError on a senseless request.
   */
  route(request: RouteRequest): Route | null;
}

const MOST_POOLS = 16;
const MOST_HOPS = 4;
/** Plans closer than this are compared by their exact integer output. */
const NEAR_TIE = 1e-5;

/** `tokens` may name tokens before any pool holds them; those of the pools need not be listed. */
export function createRouter(
  pools: readonly RoutablePool[],
  tokens: readonly string[] = [],
  limits: Limits = LIVE_LIMITS,
): Router {
  const index = createMarketIndex(pools, tokens);
  const open = createSearches(limits);
  index.market();

  return {
    update: (pool) => index.set(pool),
    remove: (poolId) => index.remove(poolId),
    route(request) {
      check(request);
      const market = index.market();
      const order = orderOf(market, request);
      if (order === null) return null;
      const search = open(market, order, fitsOf(market, request));
      const floor = fittingPath(search);
      if (floor === null) return null;
      const plans = order.maxPools === 1 ? [] : plansFrom(search, candidatesAround(search, floor));
      return bestSettled(search, [...plans, pathPlan(market, order, floor.edges)], request.amountIn);
    },
  };
}

/** Opens a search per order on work space that is reused, so one router answers one request at a time. */
export function createSearches(
  limits: Limits,
): (market: Market, order: Order, fits: (plan: Plan) => boolean) => Search {
  const solver = createDualSolver();
  const tables = {
    prices: NO_TABLE,
    fromIn: NO_TABLE,
    toOut: NO_TABLE,
    cheapest: NO_TABLE,
    dearest: NO_TABLE,
  };
  let hops: Hops = { before: new Int32Array(0), after: new Int32Array(0) };
  return (market, order, fits) => {
    const tokens = market.tokenIds.length;
    for (const name of ['prices', 'fromIn', 'toOut', 'cheapest', 'dearest'] as const) {
      if (tables[name].length === tokens) tables[name].fill(0);
      else tables[name] = new Float64Array(tokens);
    }
    const { prices, cheapest, dearest } = tables;
    const reach = reachOf(market, order, tables.fromIn, tables.toOut);
    if (hops.before.length !== tokens)
      hops = { before: new Int32Array(tokens), after: new Int32Array(tokens) };
    fillHops(hops, order, reach);
    const solutions: SolutionMemo = new Map();
    const routes = new Map<DualSolution, Solved | null>();
    return { market, order, reach, hops, solver, limits, prices, cheapest, dearest, fits, solutions, routes };
  };
}

const NO_TABLE = new Float64Array(0);

function check(request: RouteRequest): void {
  const { amountIn, maxPools, maxHops, tokenIn, tokenOut } = request;
  if (typeof amountIn !== 'bigint')
    throw new RangeError(`amountIn must be a bigint, got ${String(amountIn)}`);
  if (amountIn <= 0n) throw new RangeError(`amountIn must be above 0, got ${amountIn}`);
  for (const name of ['legCost', 'intermediateCost'] as const) {
    const cost: unknown = request[name] ?? 0n;
    if (typeof cost !== 'bigint' || cost < 0n)
      throw new RangeError(`${name} must be a bigint from 0, got ${String(cost)}`);
  }
  if (tokenIn === tokenOut) throw new RangeError(`tokenIn and tokenOut must differ, both are ${tokenIn}`);
  if (!Number.isInteger(maxPools) || maxPools < 1 || maxPools > MOST_POOLS) {
    throw new RangeError(`maxPools must be an integer 1 to ${MOST_POOLS}, got ${maxPools}`);
  }
  if (!Number.isInteger(maxHops) || maxHops < 1 || maxHops > MOST_HOPS) {
    throw new RangeError(`maxHops must be an integer 1 to ${MOST_HOPS}, got ${maxHops}`);
  }
}

function orderOf(market: Market, request: RouteRequest): Order | null {
  const tokenIn = market.tokenIndex.get(request.tokenIn);
  const tokenOut = market.tokenIndex.get(request.tokenOut);
  if (tokenIn === undefined || tokenOut === undefined) return null;
  return {
    tokenIn,
    tokenOut,
    amount: Number(request.amountIn),
    maxPools: request.maxPools,
    maxHops: Math.min(request.maxHops, request.maxPools),
    legCost: Number(request.legCost ?? 0n),
    intermediateCost: Number(request.intermediateCost ?? 0n),
  };
}

function fitsOf(market: Market, { fits }: RouteRequest): (plan: Plan) => boolean {
  if (fits === undefined) return () => true;
  return (plan) =>
    fits(
      plan.legs.map(({ edge }) => ({
        pool: market.pools[edge >> 1]?.id ?? '',
        tokenIn: market.tokenIds[market.from[edge] ?? 0] ?? '',
        tokenOut: market.tokenIds[market.to[edge] ?? 0] ?? '',
      })),
    );
}

/** The best single path that fits; a long one that does not gives way to the best shorter one. */
function fittingPath(search: Search): BestPath | null {
  const { market, order, reach } = search;
  for (let maxHops = order.maxHops; maxHops >= 1; maxHops--) {
    const path = bestPath(market, { ...order, maxHops }, reach);
    if (path === null) return null;
    if (search.fits(pathPlan(market, order, path.edges))) return path;
    maxHops = Math.min(maxHops, path.edges.length);
  }
  return null;
}

function bestSettled(search: Search, plans: readonly Plan[], amountIn: bigint): Route | null {
  const { market, order } = search;
  const ranked = [...plans].sort((a, b) => b.value - a.value);
  const top = ranked[0]?.value ?? 0;
  let best: Route | null = null;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const plan of ranked) {
    if (best !== null && plan.value < top - Math.abs(top) * NEAR_TIE) break;
    const route = settle(market, order, plan, amountIn);
    if (route === null) continue;
    const intermediates = new Set(route.legs.map((leg) => leg.tokenIn)).size - 1;
    // Doubles carry 53 bits; the difference between two outputs decides, so subtract as integers first.
    const value =
      Number(route.out - (best?.out ?? 0n)) -
      order.legCost * route.legs.length -
      order.intermediateCost * intermediates;
    const known = best === null ? Number.NEGATIVE_INFINITY : bestValue;
    if (value > known) {
      best = route;
      bestValue = -order.legCost * route.legs.length - order.intermediateCost * intermediates;
    }
  }
  return best;
}
