import { bestPath } from '../../src/core/swap/router/best-path.ts';
import { growCandidates } from '../../src/core/swap/router/candidates.ts';
import { type Curve, surplusAt } from '../../src/core/swap/router/curve.ts';
import { candidatesAround } from '../../src/core/swap/router/ensemble.ts';
import { REFERENCE_LIMITS } from '../../src/core/swap/router/limits.ts';
import type { Market } from '../../src/core/swap/router/market.ts';
import { createDualSolver } from '../../src/core/swap/router/newton.ts';
import type { Order } from '../../src/core/swap/router/order.ts';
import { createSearches } from '../../src/core/swap/router/router.ts';
import { buildCurve } from '../../src/core/swap/router/segments.ts';

/** Certified limits of one order, in units of the output token. */
export type Bounds = {
  /** No route exceeds it, whatever its pools and hops. */
  readonly any: number;
  /** No route of at most `order.maxPools` pools exceeds it. */
  readonly capped: number;
};

const WEIGHT_ROUNDS = 24;
/** Smoothing that the solver is taken through after the router's own 1e-4. */
const SMOOTHINGS = [1e-5, 1e-6];
/** Covers the rounding of the sum itself. */
const SLACK = 1 + 1e-12;

/**
 * Weak duality: for any prices ν with ν_out = 1, amount · ν_in plus the surpluses of all pools is at least the output of
 * every route. The solver only proposes prices; each proposal is evaluated here over every edge of the market on the
 * exact curves, so a solver bug can loosen a bound but never make it false. Null when no path exists.
 */
export function createBounder(market: Market): (order: Order) => Bounds | null {
  const open = createSearches(REFERENCE_LIMITS);
  const solver = createDualSolver();
  return (order) => {
    const search = open(market, order, () => true);
    const path = bestPath(market, order, search.reach);
    if (path === null) return null;
    let grown = candidatesAround(search, path);
    if (!grown.complete) grown = growCandidates(search, grown.edges);

    let any = Number.POSITIVE_INFINITY;
    let capped = Number.POSITIVE_INFINITY;
    const start = new Float64Array(market.tokenIds.length);
    const adopt = (tokens: readonly number[], prices: readonly number[]): readonly number[] => {
      start.fill(0);
      tokens.forEach((token, index) => {
        start[token] = prices[index] ?? 0;
      });
      const surpluses = surplusesAt(market, pricesEverywhere(market, order, start));
      const base = order.amount * (start[order.tokenIn] ?? 0);
      const all = surpluses.reduce((sum, { surplus }) => sum + surplus, 0);
      const top = surpluses.slice(0, order.maxPools).reduce((sum, { surplus }) => sum + surplus, 0);
      any = Math.min(any, (base + all) * SLACK);
      capped = Math.min(capped, (base + top) * SLACK);
      return surpluses.slice(0, order.maxPools).map(({ pool }) => pool);
    };
    let top = adopt(grown.solution.tokens, grown.solution.prices);

    let curves = market.smooth;
    const solve = (weights: Float64Array): void => {
      const solution = solver.solve({
        edges: grown.edges,
        from: market.from,
        to: market.to,
        curves,
        tokenIn: order.tokenIn,
        tokenOut: order.tokenOut,
        amount: order.amount,
        start,
        weights,
        tolerance: 1e-9,
      });
      top = adopt(solution.tokens, solution.prices);
    };
    const weights = new Float64Array(grown.edges.length).fill(1);
    for (const smoothing of SMOOTHINGS) {
      curves = sharpened(market, grown.edges, smoothing);
      solve(weights);
    }
    // Frank-Wolfe on the pools' weights: towards the pools that earn most at the current prices.
    curves = market.smooth;
    for (let round = 0; round < WEIGHT_ROUNDS && capped > 0; round++) {
      const towards = new Set(top);
      const pace = 2 / (round + 2.5);
      grown.edges.forEach((edge, position) => {
        const goal = towards.has(edge >> 1) ? 1 : 0;
        weights[position] = (weights[position] ?? 0) + pace * (goal - (weights[position] ?? 0));
      });
      solve(weights);
    }
    return { any, capped: Math.min(capped, any) };
  };
}

function sharpened(market: Market, edges: readonly number[], smoothing: number): readonly Curve[] {
  const curves = [...market.smooth];
  for (const edge of edges) {
    const pool = market.pools[edge >> 1];
    if (pool?.shape.kind !== 'bins') continue;
    const direction = (edge & 1) as 0 | 1;
    curves[edge] = buildCurve(pool.shape, direction, pool.gains[direction], smoothing);
  }
  return curves;
}

/**
 * Prices for all tokens: known ones stay, every other gets its best exit rate, so that its edges into the known part
 * earn nothing. Tokens without any way to the output stay at 0: whatever enters them is lost.
 */
function pricesEverywhere(market: Market, order: Order, known: Float64Array): Float64Array {
  const prices = Float64Array.from(known);
  prices[order.tokenOut] = 1;
  for (let round = 0; round < 12; round++) {
    let changed = false;
    for (let edge = 0; edge < market.spot.length; edge++) {
      const from = market.from[edge] ?? 0;
      if ((known[from] ?? 0) > 0 || from === order.tokenOut) continue;
      const value = (market.spot[edge] ?? 0) * (prices[market.to[edge] ?? 0] ?? 0);
      // A hair of tolerance ends the rounds when stale pools let a cycle gain.
      if (value > (prices[from] ?? 0) * (1 + 1e-15)) {
        prices[from] = value;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return prices;
}

/** What each pool earns at these prices, in its better direction, most first. Pools that earn nothing are left out. */
function surplusesAt(
  market: Market,
  prices: Float64Array,
): readonly { readonly pool: number; readonly surplus: number }[] {
  const found: { pool: number; surplus: number }[] = [];
  for (let pool = 0; pool < market.spot.length / 2; pool++) {
    let most = 0;
    for (const edge of [2 * pool, 2 * pool + 1]) {
      if ((market.spot[edge] ?? 0) === 0) continue;
      const priceIn = prices[market.from[edge] ?? 0] ?? 0;
      const priceOut = prices[market.to[edge] ?? 0] ?? 0;
      if (priceOut === 0) continue;
      most = Math.max(most, surplusAt(market.exact[edge] as Curve, priceIn, priceOut));
    }
    if (most > 0) found.push({ pool, surplus: most });
  }
  return found.sort((a, b) => b.surplus - a.surplus);
}
