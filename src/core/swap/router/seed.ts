import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import type { Search } from './search.ts';

const DIRECT_POOLS = 4;
const MIDDLE_TOKENS = 5;
const POOLS_PER_END = 3;

/** An edge with what its pool would earn at given prices. */
export type PricedEdge = { readonly edge: number; readonly surplus: number };

/**
 * First candidates around the best single path: the path, the best direct pools, and the middle tokens that beat the
 * path's marginal rate even before their size is counted. `rate` is that marginal rate, output units per input unit.
 */
export function seedEdges(search: Search, path: readonly number[], rate: number): number[] {
  const { market, order, reach } = search;
  const edges = new Set(path);
  const direct = topEdges(search, market.between(order.tokenIn, order.tokenOut), rate, 1, DIRECT_POOLS);
  for (const { edge } of direct) edges.add(edge);
  if (order.maxHops < 2) return [...edges];

  const middles: {
    gain: number;
    entries: readonly PricedEdge[];
    exits: readonly PricedEdge[];
  }[] = [];
  for (const token of reach.exits) {
    const entryRate = at(reach.fromIn, token);
    const exitRate = at(reach.toOut, token);
    if (entryRate * exitRate <= rate) continue;
    const entries = topEdges(search, market.between(order.tokenIn, token), rate, exitRate, POOLS_PER_END);
    const exits = topEdges(search, market.between(token, order.tokenOut), rate / entryRate, 1, POOLS_PER_END);
    const gain = Math.min(sumOf(entries), sumOf(exits));
    if (gain > 0) middles.push({ gain, entries, exits });
  }
  middles.sort((a, b) => b.gain - a.gain);
  for (const middle of middles.slice(0, MIDDLE_TOKENS)) {
    for (const { edge } of [...middle.entries, ...middle.exits]) edges.add(edge);
  }
  return [...edges];
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

export function sumOf(edges: readonly PricedEdge[]): number {
  return edges.reduce((sum, { surplus }) => sum + surplus, 0);
}
