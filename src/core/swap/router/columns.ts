import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import type { DualSolution } from './newton.ts';
import type { Search } from './search.ts';
import { type PricedEdge, sumOf, topEdges } from './seed.ts';

const POOLS_PER_PAIR = 3;
const NEW_TOKENS = 5;
const POOLS_PER_SIDE = 2;
/** A pool or token whose gain is a smaller part of the order than this is not worth a column. */
const THRESHOLD = 1e-7;

/** Bounds of a token outside the set: cheapest way in, best way out. */
type Outside = { cheapest: number; dearest: number };

/**
 * Edges outside `inside` that would earn something at the solution's prices: between its tokens, and through tokens it
 * does not know yet. Every edge of the market that could matter is priced, which is what makes the final set a certified
 * optimum rather than a guess. Empty when nothing is missing, or when the set is full.
 */
export function missingEdges(
  search: Search,
  solution: DualSolution,
  inside: ReadonlySet<number>,
): readonly number[] {
  const { order, limits } = search;
  const known = new Map<number, number>();
  solution.tokens.forEach((token, index) => {
    known.set(token, solution.prices[index] ?? 0);
  });
  const threshold = THRESHOLD * order.amount * (known.get(order.tokenIn) ?? 0);
  const room = limits.maxEdges - inside.size;
  if (room <= 0) return [];
  const found = [
    ...edgesAmong(search, known, inside, threshold),
    ...(known.size < limits.maxTokens && order.maxHops > 1 ? edgesThrough(search, known, threshold) : []),
  ];
  return found.filter((edge) => !inside.has(edge)).slice(0, room);
}

function edgesAmong(
  search: Search,
  known: ReadonlyMap<number, number>,
  inside: ReadonlySet<number>,
  threshold: number,
): readonly number[] {
  const { market, order } = search;
  const found: number[] = [];
  for (const [u, priceU] of known) {
    if (u === order.tokenOut) continue;
    for (const [v, priceV] of known) {
      if (v === u || v === order.tokenIn) continue;
      let added = 0;
      for (const { edge, surplus } of topEdges(search, market.between(u, v), priceU, priceV, 12)) {
        if (added === POOLS_PER_PAIR || surplus <= threshold) break;
        if (inside.has(edge)) continue;
        found.push(edge);
        added++;
      }
    }
  }
  return found;
}

function edgesThrough(search: Search, known: ReadonlyMap<number, number>, threshold: number): number[] {
  const outside = boundsOutside(search, known);
  const ranked: { gain: number; token: number; entries: readonly PricedEdge[]; exits: readonly PricedEdge[] }[] =
    [];
  for (const [token, bounds] of outside) {
    if (bounds.dearest <= bounds.cheapest) continue;
    const entries = priced(search, known, token, 'in', bounds.dearest);
    const exits = priced(search, known, token, 'out', bounds.cheapest);
    const gain = Math.min(sumOf(entries), sumOf(exits));
    if (gain > threshold) ranked.push({ gain, token, entries, exits });
  }
  ranked.sort((a, b) => b.gain - a.gain || a.token - b.token);
  const found: number[] = [];
  for (const { entries, exits } of ranked.slice(0, NEW_TOKENS)) {
    for (const { edge } of entries.slice(0, POOLS_PER_SIDE)) found.push(edge);
    for (const { edge } of exits.slice(0, POOLS_PER_SIDE)) found.push(edge);
  }
  return found;
}

/** Tokens outside that can be both bought from and sold to known ones, with the best zero-size prices. */
function boundsOutside(search: Search, known: ReadonlyMap<number, number>): Map<number, Outside> {
  const { market, order } = search;
  const outside = new Map<number, Outside>();
  for (const [v, priceV] of known) {
    if (v === order.tokenIn) continue;
    const into = market.throughInto[v];
    if (into === undefined) continue;
    for (let index = 0; index < into.length; index++) {
      const edge = idAt(into, index);
      const token = idAt(market.from, edge);
      if (known.has(token)) continue;
      const value = priceV * at(market.spot, edge);
      const bounds = outside.get(token);
      if (bounds === undefined) outside.set(token, { cheapest: Number.POSITIVE_INFINITY, dearest: value });
      else if (value > bounds.dearest) bounds.dearest = value;
    }
  }
  for (const [u, priceU] of known) {
    if (u === order.tokenOut) continue;
    const out = market.through[u];
    if (out === undefined) continue;
    for (let index = 0; index < out.length; index++) {
      const edge = idAt(out, index);
      const bounds = outside.get(idAt(market.to, edge));
      if (bounds === undefined) continue;
      const value = priceU / at(market.spot, edge);
      if (value < bounds.cheapest) bounds.cheapest = value;
    }
  }
  return outside;
}

/** Edges between an outside token and known ones that earn something when the token is worth `price`. */
function priced(
  search: Search,
  known: ReadonlyMap<number, number>,
  token: number,
  side: 'in' | 'out',
  price: number,
): readonly PricedEdge[] {
  const { market, order } = search;
  const found: PricedEdge[] = [];
  for (const [end, endPrice] of known) {
    if (end === (side === 'in' ? order.tokenOut : order.tokenIn)) continue;
    const edges = side === 'in' ? market.between(end, token) : market.between(token, end);
    for (const edge of edges) {
      const curve = market.exact[edge] as Curve;
      const surplus =
        side === 'in' ? surplusAt(curve, endPrice, price) : surplusAt(curve, price, endPrice);
      if (surplus > 0) found.push({ edge, surplus });
    }
  }
  return found.sort((a, b) => b.surplus - a.surplus || a.edge - b.edge);
}
