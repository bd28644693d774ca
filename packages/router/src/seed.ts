import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import type { Search } from './search.ts';

const DIRECT_POOLS = 4;

/** An edge with its pool's surplus at given prices. */
export type PricedEdge = { readonly edge: number; readonly surplus: number };

/**
 * First candidates: the best single path and the best direct pools at its marginal rate (`rate`, output units per input
 * unit). Intermediate tokens are left to column generation, which prices them better and scans the market anyway.
 */
export function seedEdges(search: Search, path: readonly number[], rate: number): number[] {
  const { market, order } = search;
  const direct = topEdges(search, market.between(order.tokenIn, order.tokenOut), rate, 1, DIRECT_POOLS);
  return [...new Set([...path, ...direct.map(({ edge }) => edge)])];
}

/** The edges that earn most at these prices, best first; none that earns nothing. */
export function topEdges(
  search: Search,
  edges: Int32Array,
  priceIn: number,
  priceOut: number,
  count: number,
): readonly PricedEdge[] {
  const { market } = search;
  const found: PricedEdge[] = [];
  for (let index = 0; index < edges.length; index++) {
    const edge = idAt(edges, index);
    if (priceOut * at(market.spot, edge) <= priceIn) continue;
    const surplus = surplusAt(market.exact[edge] as Curve, priceIn, priceOut);
    if (surplus > 0) found.push({ edge, surplus });
  }
  if (found.length > 1) found.sort((a, b) => b.surplus - a.surplus || a.edge - b.edge);
  return found.length > count ? found.slice(0, count) : found;
}

/** The `count` that earn most, best first. */
export function bestEdges(edges: readonly PricedEdge[], count: number): readonly number[] {
  return [...edges]
    .sort((a, b) => b.surplus - a.surplus || a.edge - b.edge)
    .slice(0, count)
    .map(({ edge }) => edge);
}

/** The joint surplus of the `count` that earn least; 0 for a count of 0 or less. */
export function leastSum(edges: readonly PricedEdge[], count: number): number {
  // Sorted by insertion: a handful of numbers, and this bounds every exchange that is thought of.
  const sorted: number[] = [];
  let sum = 0;
  for (const { surplus } of edges) {
    let place = sorted.length;
    while (place > 0 && (sorted[place - 1] as number) > surplus) {
      sorted[place] = sorted[place - 1] as number;
      place--;
    }
    sorted[place] = surplus;
  }
  for (let index = 0; index < count; index++) sum += sorted[index] as number;
  return sum;
}

export function sumOf(edges: readonly PricedEdge[]): number {
  return edges.reduce((sum, { surplus }) => sum + surplus, 0);
}
