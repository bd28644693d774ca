import { at, idAt } from './array-access.ts';
import { type Curve, outputFor } from './curve.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Reach } from './plan.ts';

/** One path for the whole amount. */
export type BestPath = { readonly edges: readonly number[]; readonly out: number };

/**
 * The single path of at most `order.maxHops` pools with the largest output for the whole amount: exact, not heuristic.
 * A pool's output never exceeds amount · spot and grows with its input, so a branch whose spot product cannot beat the
 * best output so far is skipped without evaluating it. Null when no path gives anything.
 */
export function bestPath(market: Market, order: Order, reach: Reach): BestPath | null {
  const { amount, tokenIn, tokenOut } = order;
  let best: BestPath = { edges: [], out: 0 };
  const keep = (edges: readonly number[], out: number): void => {
    // The fixed cost ranks paths of different length; it is the same for equal length.
    const cost = order.legCost * edges.length + order.middleCost * (edges.length - 1);
    const bestCost = best.edges.length === 0 ? 0 : costOf(order, best.edges.length);
    if (out > 0 && (best.edges.length === 0 || out - cost > best.out - bestCost)) best = { edges, out };
  };

  for (const edge of market.between(tokenIn, tokenOut)) {
    keep([edge], outputFor(curveOf(market, edge), amount));
  }
  if (order.maxHops < 2) return best.edges.length === 0 ? null : best;

  const first = new Map<number, { readonly edge: number; readonly out: number }>();
  const firstHop = (token: number): { readonly edge: number; readonly out: number } => {
    const known = first.get(token);
    if (known !== undefined) return known;
    let found = { edge: -1, out: 0 };
    for (const edge of market.between(tokenIn, token)) {
      if (amount * at(market.spot, edge) <= found.out) continue;
      const out = outputFor(curveOf(market, edge), amount);
      if (out > found.out) found = { edge, out };
    }
    first.set(token, found);
    return found;
  };

  for (const middle of reach.exits) {
    const entryRate = at(reach.fromIn, middle);
    if (entryRate === 0) continue;
    const bound = amount * entryRate;
    for (const edge of market.between(middle, tokenOut)) {
      if (bound * at(market.spot, edge) <= best.out) continue;
      const entry = firstHop(middle);
      if (entry.out * at(market.spot, edge) <= best.out) continue;
      keep([entry.edge, edge], outputFor(curveOf(market, edge), entry.out));
    }
  }
  if (order.maxHops < 3) return best.edges.length === 0 ? null : best;

  for (const last of reach.exits) {
    const exitRate = at(reach.toOut, last);
    const into = market.throughInto[last];
    if (into === undefined) continue;
    for (let index = 0; index < into.length; index++) {
      const edge = idAt(into, index);
      const middle = idAt(market.from, edge);
      const bound = amount * at(reach.fromIn, middle) * at(market.spot, edge) * exitRate;
      if (bound <= best.out || middle === tokenOut) continue;
      const entry = firstHop(middle);
      // The same bound with what the first hop really gives: large orders slip there, and most branches end here.
      if (entry.out * at(market.spot, edge) * exitRate <= best.out) continue;
      const held = outputFor(curveOf(market, edge), entry.out);
      if (held * exitRate <= best.out) continue;
      for (const exit of market.between(last, tokenOut)) {
        keep([entry.edge, edge, exit], outputFor(curveOf(market, exit), held));
      }
    }
  }
  return best.edges.length === 0 ? null : best;
}

function costOf(order: Order, hops: number): number {
  return order.legCost * hops + order.middleCost * (hops - 1);
}

function curveOf(market: Market, edge: number): Curve {
  return market.exact[edge] as Curve;
}
