import { bestPath } from '../src/best-path.ts';
import { growCandidates } from '../src/candidates.ts';
import { type Curve, surplusAt } from '../src/curve.ts';
import { candidatesAround } from '../src/ensemble.ts';
import { REFERENCE_LIMITS } from '../src/limits.ts';
import type { Market } from '../src/market.ts';
import { createDualSolver } from '../src/newton.ts';
import type { Order } from '../src/order.ts';
import { createSearches } from '../src/router.ts';
import { type PricedEdge, sumOf } from '../src/seed.ts';
import { buildCurve } from '../src/segments.ts';
import { unroll } from './unroll.ts';

/** Certified limits of one order, in units of the output token. */
export type Bounds = {
  /** No route exceeds it, with any pools and hops. */
  readonly any: number;
  /** No route of at most `order.maxPools` pools exceeds it. */
  readonly capped: number;
};

/** Where bounds are found: a market, the pool that each edge of it draws on, and pools that count as part of every route. */
type Field = {
  readonly market: Market;
  readonly origin: (edge: number) => number;
  readonly pools: Market['pools'];
  readonly taken: ReadonlySet<number>;
};

/** A bound with its grounds: each pool's surplus at its prices, and the part of each that the solver ended with. */
export type Proof = Bounds & {
  readonly surpluses: ReadonlyMap<number, number>;
  readonly parts: ReadonlyMap<number, number>;
};

type Evaluation = { readonly priced: PricedMarket; readonly surpluses: readonly PricedEdge[] };

const WEIGHT_ROUNDS = 12;
/** Rounds that add the edges which still earn something, and how many each adds. */
const GROW_ROUNDS = 6;
const EDGES_PER_ROUND = 4;
/** Rounds of spreading prices to tokens outside the solve. */
const RELAX_ROUNDS = 12;
/** Smoothing that the solver is taken through after the router's own 1e-4. */
const SMOOTHINGS = [1e-5, 1e-6];
/** A bound this close to a route that was found need not be tightened further. */
const CLOSE = 1 + 1e-7;
/** Covers the rounding of the sum itself. */
const SLACK = 1 + 1e-12;

/**
 * Weak duality: for any prices ν with ν_out = 1, amount · ν_in plus the surpluses of all pools is at least the output of every route. The
 * solver only proposes prices; each proposal is evaluated here over every edge of the market on the exact curves. So a solver bug can
 * loosen a bound but never make it false. Null when no path exists. `reached` is the output of a known route (0 for none): it decides when
 * to stop, never the bound.
 */
export function createBounder(market: Market): (order: Order, reached: number) => Bounds | null {
  return bounderOf({ market, origin: (edge) => edge, pools: market.pools, taken: new Set() });
}

/**
 * An upper bound of the output of every route of at most `order.maxPools` pools and `order.maxHops` hops. Routes that come back to their
 * input or go on from their output may exceed it. A pool has one price for all that passes through it, on every hop. So its surplus at
 * prices that differ by hop is at most its surplus on its best hop. Routes without all of the `taken` pools may exceed it. Null when no
 * path exists.
 */
export function proveHops(
  market: Market,
  order: Order,
  reached: number,
  taken: ReadonlySet<number> = new Set(),
): Proof | null {
  const unrolled = unroll(market, order);
  const origin = (edge: number): number => unrolled.origin[edge] ?? 0;
  return bounderOf({ market: unrolled.market, origin, pools: market.pools, taken })(unrolled.order, reached);
}

function bounderOf(field: Field): (order: Order, reached: number) => Proof | null {
  const { market } = field;
  const poolOf = (edge: number): number => field.origin(edge) >> 1;
  const open = createSearches(REFERENCE_LIMITS);
  const solver = createDualSolver();
  return (order, reached) => {
    const search = open(market, order, () => true);
    const path = bestPath(market, order, search.reach);
    if (path === null) return null;
    let grown = candidatesAround(search, path);
    if (!grown.complete) grown = growCandidates(search, grown.edges);

    let any = Number.POSITIVE_INFINITY;
    let capped = Number.POSITIVE_INFINITY;
    let proof: readonly PricedEdge[] = [];
    /** The pools that must count and the best of the others, as many as a route may have. */
    const counted = (surpluses: readonly PricedEdge[]): readonly PricedEdge[] => {
      const must = surpluses.filter(({ edge }) => field.taken.has(poolOf(edge)));
      const others = surpluses.filter(({ edge }) => !field.taken.has(poolOf(edge)));
      return [...must, ...others.slice(0, Math.max(0, order.maxPools - field.taken.size))];
    };
    const start = new Float64Array(market.tokenIds.length);
    /** Takes prices and evaluates both bounds at them over the whole market, in two ways. */
    const adopt = (tokens: readonly number[], prices: readonly number[]): readonly Evaluation[] => {
      start.fill(0);
      tokens.forEach((token, index) => {
        start[token] = prices[index] ?? 0;
      });
      const base = order.amount * (start[order.tokenIn] ?? 0);
      const evaluations = (['dearest', 'cheapest'] as const).map((choice): Evaluation => {
        const priced = pricesEverywhere(market, order, start, choice);
        const surpluses = surplusesAt(field, priced.prices);
        any = Math.min(any, (base + sumOf(surpluses)) * SLACK);
        const most = (base + sumOf(counted(surpluses))) * SLACK;
        if (most < capped) {
          capped = most;
          proof = surpluses;
        }
        return { priced, surpluses };
      });
      return evaluations.sort((a, b) => sumOf(a.surpluses) - sumOf(b.surpluses));
    };
    const solve = (
      edges: readonly number[],
      curves: readonly Curve[],
      weights: Float64Array,
    ): readonly Evaluation[] => {
      const { from, to } = market;
      const { amount, tokenIn, tokenOut } = order;
      const ends = { tokenIn, tokenOut, amount, everyEdge: true, tolerance: 1e-9 };
      const solution = solver.solve({ edges, from, to, curves, start, weights, ...ends });
      return adopt(solution.tokens, solution.prices);
    };

    const inside = new Set(grown.edges);
    let evaluations = adopt(grown.solution.tokens, grown.solution.prices);
    for (let round = 0; round < GROW_ROUNDS && capped > reached * CLOSE; round++) {
      const before = inside.size;
      for (const { priced, surpluses } of evaluations) {
        const violators = surpluses.filter(({ edge, surplus }) => surplus > 1e-7 * any && !inside.has(edge));
        for (const { edge } of violators.slice(0, EDGES_PER_ROUND)) {
          for (const link of withChain(market, priced, edge)) inside.add(link);
        }
      }
      if (inside.size === before) break;
      evaluations = solve([...inside], market.smooth, new Float64Array(inside.size).fill(1));
    }

    const edges = [...inside];
    const weights = new Float64Array(edges.length).fill(1);
    for (const smoothing of SMOOTHINGS) {
      if (capped <= reached * CLOSE) break;
      evaluations = solve(edges, sharpened(field, edges, smoothing), weights);
    }
    // Frank-Wolfe on the pools' weights: towards the pools that earn most at the current prices.
    for (let round = 0; round < WEIGHT_ROUNDS && capped > reached * CLOSE; round++) {
      const top = counted(evaluations[0]?.surpluses ?? []);
      const towards = new Set(top.map(({ edge }) => edge));
      const pace = 2 / (round + 2.5);
      edges.forEach((edge, position) => {
        const goal = towards.has(edge) ? 1 : 0;
        weights[position] = (weights[position] ?? 0) + pace * (goal - (weights[position] ?? 0));
      });
      evaluations = solve(edges, market.smooth, weights);
    }
    const parts = new Map<number, number>();
    edges.forEach((edge, position) => {
      parts.set(poolOf(edge), Math.max(parts.get(poolOf(edge)) ?? 0, weights[position] ?? 0));
    });
    const surpluses = new Map(proof.map(({ edge, surplus }) => [poolOf(edge), surplus] as const));
    return { any, capped: Math.min(capped, any), surpluses, parts };
  };
}

/** An edge with the chain of edges that its unknown end's price comes from: without them it would stay out of reach. */
function withChain(market: Market, { choice, via }: PricedMarket, edge: number): readonly number[] {
  const chain = [edge];
  let token = (choice === 'dearest' ? market.to : market.from)[edge] ?? 0;
  for (let next = via[token] ?? -1; next >= 0 && chain.length < RELAX_ROUNDS; next = via[token] ?? -1) {
    chain.push(next);
    token = (choice === 'dearest' ? market.to : market.from)[next] ?? 0;
  }
  return chain;
}

function sharpened(
  { market, origin, pools }: Field,
  edges: readonly number[],
  smoothing: number,
): readonly Curve[] {
  const curves = [...market.smooth];
  for (const edge of edges) {
    const original = origin(edge);
    const pool = pools[original >> 1];
    if (pool?.shape.kind !== 'bins') continue;
    const direction = (original & 1) as 0 | 1;
    curves[edge] = buildCurve(pool.shape, direction, pool.gains[direction], smoothing);
  }
  return curves;
}

type Choice = 'dearest' | 'cheapest';

/** Prices of all tokens, and for each unknown one the edge that its price comes from. */
type PricedMarket = { readonly choice: Choice; readonly prices: Float64Array; readonly via: Int32Array };

/**
 * Prices for all tokens: known ones stay. `dearest` gives every other its best exit rate, so that its edges into the known part earn
 * nothing. It gives 0 where there is no way out (an amount that enters is lost). `cheapest` gives it the cost of getting it, so that edges
 * out of the known part earn nothing, and infinity where it cannot be got. Either is a valid choice; which is tighter depends on whether
 * the pools in or the pools out are the small ones.
 */
function pricesEverywhere(market: Market, order: Order, known: Float64Array, choice: Choice): PricedMarket {
  const isKnown = (token: number): boolean => (known[token] ?? 0) > 0 || token === order.tokenOut;
  const prices = known.map((price) => (price > 0 || choice === 'dearest' ? price : Number.POSITIVE_INFINITY));
  const via = new Int32Array(prices.length).fill(-1);
  prices[order.tokenOut] = 1;
  for (let round = 0; round < RELAX_ROUNDS; round++) {
    let changed = false;
    for (let edge = 0; edge < market.spot.length; edge++) {
      const from = market.from[edge] ?? 0;
      const to = market.to[edge] ?? 0;
      const spot = market.spot[edge] ?? 0;
      if (spot === 0) continue;
      // A hair of tolerance ends the rounds when stale pools let a cycle gain.
      if (choice === 'dearest' && !isKnown(from)) {
        const value = spot * (prices[to] ?? 0);
        if (value <= (prices[from] ?? 0) * (1 + 1e-15)) continue;
        prices[from] = value;
        via[from] = edge;
        changed = true;
      } else if (choice === 'cheapest' && !isKnown(to)) {
        const cost = (prices[from] ?? 0) / spot;
        if (cost >= (prices[to] ?? 0) * (1 - 1e-15)) continue;
        prices[to] = cost;
        via[to] = edge;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return { choice, prices, via };
}

/** Each pool's surplus at these prices, on the edge where that is most, most first. Pools that earn nothing are left out. */
function surplusesAt({ market, origin }: Field, prices: Float64Array): readonly PricedEdge[] {
  const best = new Map<number, PricedEdge>();
  for (let edge = 0; edge < market.spot.length; edge++) {
    const priced = surplusOf(market, prices, edge);
    const pool = origin(edge) >> 1;
    if (priced.surplus > (best.get(pool)?.surplus ?? 0)) best.set(pool, priced);
  }
  return [...best.values()].sort((a, b) => b.surplus - a.surplus);
}

function surplusOf(market: Market, prices: Float64Array, edge: number): PricedEdge {
  const priceIn = prices[market.from[edge] ?? 0] ?? 0;
  const priceOut = prices[market.to[edge] ?? 0] ?? 0;
  if ((market.spot[edge] ?? 0) === 0 || priceOut === 0) return { edge, surplus: 0 };
  return { edge, surplus: surplusAt(market.exact[edge] as Curve, priceIn, priceOut) };
}
