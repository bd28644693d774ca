import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import type { DualSolution } from './dual-problem.ts';
import type { Search } from './search.ts';
import { type PricedEdge, sumOf, topEdges } from './seed.ts';

const POOLS_PER_PAIR = 3;
const NEW_TOKENS = 5;
const POOLS_PER_SIDE = 2;
/** Tokens that the next rounds look at instead of the whole market. */
const SHORTLIST = 60;
/** A pool or token whose gain is a smaller part of the order than this is not worth a column. */
const THRESHOLD = 1e-7;

/** Missing edges, and the unknown tokens worth looking at again first. */
export type Missing = { readonly edges: readonly number[]; readonly shortlist: readonly number[] };

/**
 * Edges outside `inside` that would earn something at the solution's prices: between its tokens, and through tokens it
 * does not know yet: all of the market, or only `shortlist` when one is given. Pricing every edge that could matter is
 * what makes the final set a certified optimum rather than a guess. `search.prices` must be the solution's. No edges
 * when nothing is missing, or when the set is full.
 */
export function missingEdges(
  search: Search,
  solution: DualSolution,
  inside: ReadonlySet<number>,
  shortlist: readonly number[] | null,
): Missing {
  const { order, limits, prices } = search;
  const threshold = THRESHOLD * order.amount * at(prices, order.tokenIn);
  const room = limits.maxEdges - inside.size;
  if (room <= 0) return { edges: [], shortlist: [] };
  const known = solution.tokens;
  const among = edgesAmong(search, known, inside, threshold);
  const middles =
    known.length < limits.maxTokens && order.maxHops > 1
      ? middlesWorthAdding(search, known, shortlist, threshold)
      : [];
  const through = middles
    .slice(0, NEW_TOKENS)
    .flatMap(({ entries, exits }) => [...best(entries, POOLS_PER_SIDE), ...best(exits, POOLS_PER_SIDE)]);
  return {
    edges: [...among, ...through].filter((edge) => !inside.has(edge)).slice(0, room),
    shortlist: middles.slice(NEW_TOKENS, NEW_TOKENS + SHORTLIST).map(({ token }) => token),
  };
}

function edgesAmong(
  search: Search,
  known: readonly number[],
  inside: ReadonlySet<number>,
  threshold: number,
): number[] {
  const { market, order, prices } = search;
  const found: number[] = [];
  for (const u of known) {
    if (u === order.tokenOut) continue;
    for (const v of known) {
      if (v === u || v === order.tokenIn) continue;
      let added = 0;
      const top = topEdges(
        search,
        market.between(u, v),
        at(prices, u),
        at(prices, v),
        Number.POSITIVE_INFINITY,
      );
      for (const { edge, surplus } of top) {
        if (added === POOLS_PER_PAIR || surplus <= threshold) break;
        if (inside.has(edge)) continue;
        found.push(edge);
        added++;
      }
    }
  }
  return found;
}

type Middle = {
  readonly token: number;
  readonly gain: number;
  readonly entries: readonly PricedEdge[];
  readonly exits: readonly PricedEdge[];
};

/** Unknown tokens that would earn more than the threshold as a middle, best first. */
function middlesWorthAdding(
  search: Search,
  known: readonly number[],
  shortlist: readonly number[] | null,
  threshold: number,
): readonly Middle[] {
  const { cheapest, dearest } = search;
  const reached = shortlist === null ? boundsOutside(search, known) : boundsOf(search, shortlist);
  const ranked: Middle[] = [];
  for (const token of reached) {
    const dear = at(dearest, token);
    const cheap = at(cheapest, token);
    dearest[token] = 0;
    cheapest[token] = 0;
    // 0 stands for "no way in".
    if (cheap === 0 || dear <= cheap) continue;
    const exits = waysOut(search, token, cheap);
    if (sumOf(exits) <= threshold) continue;
    const entries = waysIn(search, token, dear);
    const gain = Math.min(sumOf(entries), sumOf(exits));
    if (gain > threshold) ranked.push({ gain, token, entries, exits });
  }
  return ranked.sort((a, b) => b.gain - a.gain || a.token - b.token);
}

/** The same bounds for a few tokens only, from their own edges: the hubs' long lists are not walked. */
function boundsOf(search: Search, tokens: readonly number[]): readonly number[] {
  const { market, order, prices, cheapest, dearest } = search;
  const unknown = tokens.filter((token) => at(prices, token) === 0);
  for (const token of unknown) {
    for (const edge of market.through[token] as Int32Array) {
      const end = idAt(market.to, edge);
      if (end === order.tokenIn) continue;
      dearest[token] = Math.max(at(dearest, token), at(prices, end) * at(market.spot, edge));
    }
    for (const edge of market.throughInto[token] as Int32Array) {
      const end = idAt(market.from, edge);
      const known = at(prices, end);
      if (known === 0 || end === order.tokenOut) continue;
      const value = known / at(market.spot, edge);
      if (at(cheapest, token) === 0 || value < at(cheapest, token)) cheapest[token] = value;
    }
  }
  return unknown;
}

/** Tokens outside that can be sold to known ones, their best zero-size prices left in the search's two tables. */
function boundsOutside(search: Search, known: readonly number[]): readonly number[] {
  const { market, order, prices, cheapest, dearest } = search;
  const reached: number[] = [];
  for (const v of known) {
    const into = market.throughInto[v];
    if (v === order.tokenIn || into === undefined) continue;
    const price = at(prices, v);
    for (let index = 0; index < into.length; index++) {
      const edge = idAt(into, index);
      const token = idAt(market.from, edge);
      if (at(prices, token) > 0) continue;
      const value = price * at(market.spot, edge);
      const before = at(dearest, token);
      if (value <= before) continue;
      if (before === 0) reached.push(token);
      dearest[token] = value;
    }
  }
  for (const u of known) {
    const out = market.through[u];
    if (u === order.tokenOut || out === undefined) continue;
    const price = at(prices, u);
    for (let index = 0; index < out.length; index++) {
      const edge = idAt(out, index);
      const token = idAt(market.to, edge);
      if (at(dearest, token) === 0) continue;
      const value = price / at(market.spot, edge);
      const before = at(cheapest, token);
      if (before === 0 || value < before) cheapest[token] = value;
    }
  }
  return reached;
}

/** Edges from known tokens that earn something when `token` is worth `price`. */
function waysIn(search: Search, token: number, price: number): readonly PricedEdge[] {
  const { market, order } = search;
  const found: PricedEdge[] = [];
  collect(search, market.throughInto[token] as Int32Array, 'in', price, found);
  // An input with one neighbour is nobody's middle, so the list above leaves it out.
  if (market.isLeaf(order.tokenIn)) {
    collect(search, market.between(order.tokenIn, token), 'in', price, found);
  }
  return found;
}

/** Edges into known tokens that earn something when `token` is worth `price`. */
function waysOut(search: Search, token: number, price: number): readonly PricedEdge[] {
  const { market, order } = search;
  const found: PricedEdge[] = [];
  collect(search, market.through[token] as Int32Array, 'out', price, found);
  if (market.isLeaf(order.tokenOut)) {
    collect(search, market.between(token, order.tokenOut), 'out', price, found);
  }
  return found;
}

function collect(
  search: Search,
  edges: Int32Array,
  side: 'in' | 'out',
  price: number,
  found: PricedEdge[],
): void {
  const { market, order, prices } = search;
  const forbidden = side === 'in' ? order.tokenOut : order.tokenIn;
  for (let index = 0; index < edges.length; index++) {
    const edge = idAt(edges, index);
    const end = idAt(side === 'in' ? market.from : market.to, edge);
    const known = at(prices, end);
    if (known === 0 || end === forbidden) continue;
    const spot = at(market.spot, edge);
    // Most edges earn nothing; telling so from the spot table spares fetching the curve.
    if (side === 'in' ? price * spot <= known : known * spot <= price) continue;
    const curve = market.exact[edge] as Curve;
    const surplus = side === 'in' ? surplusAt(curve, known, price) : surplusAt(curve, price, known);
    if (surplus > 0) found.push({ edge, surplus });
  }
}

function best(edges: readonly PricedEdge[], count: number): readonly number[] {
  return [...edges]
    .sort((a, b) => b.surplus - a.surplus || a.edge - b.edge)
    .slice(0, count)
    .map(({ edge }) => edge);
}
