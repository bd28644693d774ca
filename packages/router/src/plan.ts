import { at } from './array-access.ts';
import { outputFor } from './curve.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';

/** One pool of a plan. `share` is the part of everything held at the source token that goes into it. */
export type PlanLeg = {
  readonly edge: number;
  readonly share: number;
  readonly amountIn: number;
  readonly amountOut: number;
};

/** A route on the exact curves, not yet rounded: legs in an order in which each spends only the output of earlier ones. */
export type Plan = {
  readonly legs: readonly PlanLeg[];
  readonly out: number;
  /** `out` less the fixed costs: plans are compared by it. */
  readonly value: number;
  /** Pools on the longest way from the input to the output. */
  readonly hops: number;
};

/** An edge with the weight by which its source token's balance is divided. */
export type WeightedEdge = { readonly edge: number; readonly weight: number };

/**
 * Divides whole balances in proportion to the weights and simulates on the exact curves. The edges must be free of cycles, and each must
 * start at the input or at a token that an edge feeds. Nothing is left over at a token by construction; input that a pool cannot use is
 * lost and shows as a lower output.
 */
export function simulate(market: Market, order: Order, edges: readonly WeightedEdge[]): Plan {
  // Plain arrays by position in `tokens`: a plan has a handful of tokens, and this runs once per set tried.
  const tokens = [order.tokenIn];
  const held = [order.amount];
  const weights = [0];
  const waiting = [0];
  const depth = [0];
  for (const { edge, weight } of edges) {
    for (const token of [market.from[edge] ?? 0, market.to[edge] ?? 0]) {
      if (tokens.includes(token)) continue;
      tokens.push(token);
      held.push(0);
      weights.push(0);
      waiting.push(0);
      depth.push(0);
    }
    const source = tokens.indexOf(market.from[edge] ?? 0);
    const target = tokens.indexOf(market.to[edge] ?? 0);
    weights[source] = (weights[source] ?? 0) + weight;
    waiting[target] = (waiting[target] ?? 0) + 1;
  }

  const legs: PlanLeg[] = [];
  const ready = [0];
  for (let next = 0; next < ready.length; next++) {
    const source = ready[next] ?? 0;
    const token = tokens[source] ?? 0;
    for (const { edge, weight } of edges) {
      if (market.from[edge] !== token) continue;
      const curve = market.exact[edge];
      if (curve === undefined) continue;
      const share = weight / (weights[source] ?? 1);
      const amountIn = (held[source] ?? 0) * share;
      const amountOut = outputFor(curve, amountIn);
      legs.push({ edge, share, amountIn, amountOut });
      const to = market.to[edge] ?? 0;
      const target = tokens.indexOf(to);
      held[target] = (held[target] ?? 0) + amountOut;
      depth[target] = Math.max(depth[target] ?? 0, (depth[source] ?? 0) + 1);
      const left = (waiting[target] ?? 0) - 1;
      waiting[target] = left;
      if (left === 0 && to !== order.tokenOut) ready.push(target);
    }
  }
  const end = tokens.indexOf(order.tokenOut);
  const out = held[end] ?? 0;
  const value = out - order.legCost * legs.length - order.intermediateCost * (ready.length - 1);
  return { legs, out, value, hops: depth[end] ?? 0 };
}

/** The plan that sends everything along one path of edges. */
export function pathPlan(market: Market, order: Order, path: readonly number[]): Plan {
  return simulate(
    market,
    order,
    path.map((edge) => ({ edge, weight: 1 })),
  );
}

/** Best price per unit from the input to each token it trades with directly, and from each token to the output. */
export type Reach = {
  /** Output units of the token per unit of the input, at zero size; 0 when there is no direct pool. */
  readonly fromIn: Float64Array;
  /** Units of the output per unit of the token, at zero size; 0 when there is no direct pool. */
  readonly toOut: Float64Array;
  /** Tokens with an entry in `fromIn` / `toOut`, the ends excluded. */
  readonly entries: readonly number[];
  readonly exits: readonly number[];
};

/** Fills both tables from the neighbours of the order's ends. The arrays must be zero and as long as the token list. */
export function reachOf(market: Market, order: Order, fromIn: Float64Array, toOut: Float64Array): Reach {
  const entries: number[] = [];
  const exits: number[] = [];
  const out = market.through[order.tokenIn];
  if (out !== undefined) {
    for (const edge of out) {
      const token = market.to[edge] ?? 0;
      const spot = at(market.spot, edge);
      if (token === order.tokenOut || spot === 0) continue;
      const known = at(fromIn, token);
      if (known === 0) entries.push(token);
      if (spot > known) fromIn[token] = spot;
    }
  }
  const into = market.throughInto[order.tokenOut];
  if (into !== undefined) {
    for (const edge of into) {
      const token = market.from[edge] ?? 0;
      const spot = at(market.spot, edge);
      if (token === order.tokenIn || spot === 0) continue;
      const known = at(toOut, token);
      if (known === 0) exits.push(token);
      if (spot > known) toOut[token] = spot;
    }
  }
  return { fromIn, toOut, entries, exits };
}
