import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import { intermediatesWorthAdding, waysIn, waysOut } from './intermediates.ts';
import { forget, lookOutside } from './outside.ts';
import type { Search } from './search.ts';
import { bestEdges, type PricedEdge } from './seed.ts';

/** Tokens of the whole market that are looked through at once. */
const INTERMEDIATES = 8;

/**
 * A way from the known tokens to the known tokens through tokens that have no price: its edges, and the most that it brings. It
 * brings no more than any of its pools earns while the others cost nothing.
 */
export type Way = { readonly edges: readonly number[]; readonly gain: number };

/** Edges between known tokens and unknown ones, and from unknown to unknown. */
type Sorted = { readonly entries: number[]; readonly exits: number[]; readonly bridges: number[] };

/** The best edges into an unknown token and out of it, one per known token at the other end. */
type Middle = { readonly entries: PricedEdge[]; readonly exits: PricedEdge[] };

/** Ways through one unknown token, or two, that the candidates offer at the search's prices, except through `without`. */
export function waysAmong(search: Search, candidates: readonly number[], without: number): readonly Way[] {
  const { market, prices, cheapest, dearest } = search;
  const sorted = sortedOut(search, candidates, without);
  for (const edge of sorted.entries) {
    const to = idAt(market.to, edge);
    const cost = at(prices, idAt(market.from, edge)) / at(market.spot, edge);
    if (at(cheapest, to) === 0 || cost < at(cheapest, to)) cheapest[to] = cost;
  }
  for (const edge of sorted.exits) {
    const from = idAt(market.from, edge);
    dearest[from] = Math.max(at(dearest, from), at(prices, idAt(market.to, edge)) * at(market.spot, edge));
  }
  const ways = [...throughOne(search, sorted), ...throughTwo(search, sorted)];
  for (const edge of sorted.entries) cheapest[idAt(market.to, edge)] = 0;
  for (const edge of sorted.exits) dearest[idAt(market.from, edge)] = 0;
  return ways;
}

/**
 * Pools of ways through one token, out of the whole market, that may bring more than `threshold`. Column generation looked
 * at the prices of the unlimited optimum, where pools are idle that a plan of few pools lacks.
 */
export function poolsOfWays(search: Search, known: readonly number[], threshold: number): readonly number[] {
  const outside = lookOutside(search, known);
  const { best } = intermediatesWorthAdding(search, outside, threshold, INTERMEDIATES, 0);
  forget(search, outside);
  return best.flatMap((intermediate) => [
    ...bestEdges(waysIn(search, known, intermediate), 1),
    ...bestEdges(waysOut(search, known, intermediate), 1),
  ]);
}

function sortedOut(
  { market, order, prices }: Search,
  candidates: readonly number[],
  without: number,
): Sorted {
  const sorted: Sorted = { entries: [], exits: [], bridges: [] };
  for (const edge of candidates) {
    const from = idAt(market.from, edge);
    const to = idAt(market.to, edge);
    if (from === without || to === without || from === order.tokenOut || to === order.tokenIn) continue;
    const isFromKnown = at(prices, from) > 0;
    const isToKnown = at(prices, to) > 0;
    if ((isFromKnown && isToKnown) || at(market.spot, edge) === 0) continue;
    (isFromKnown ? sorted.entries : isToKnown ? sorted.exits : sorted.bridges).push(edge);
  }
  return sorted;
}

function throughOne(search: Search, { entries, exits }: Sorted): readonly Way[] {
  const { market, prices, cheapest, dearest } = search;
  const intermediates = new Map<number, Middle>();
  for (const edge of entries) {
    const token = idAt(market.to, edge);
    const surplus = earned(search, edge, at(prices, idAt(market.from, edge)), at(dearest, token));
    if (surplus > 0) keepBest(intermediateOf(intermediates, token).entries, market.from, edge, surplus);
  }
  for (const edge of exits) {
    const token = idAt(market.from, edge);
    const cheap = at(cheapest, token);
    // 0 means "no way in".
    const surplus = cheap === 0 ? 0 : earned(search, edge, cheap, at(prices, idAt(market.to, edge)));
    if (surplus > 0) keepBest(intermediateOf(intermediates, token).exits, market.to, edge, surplus);
  }
  const ways: Way[] = [];
  for (const intermediate of intermediates.values()) {
    for (const entry of intermediate.entries) {
      for (const exit of intermediate.exits) {
        if (market.from[entry.edge] === market.to[exit.edge]) continue;
        ways.push({ edges: [entry.edge, exit.edge], gain: Math.min(entry.surplus, exit.surplus) });
      }
    }
  }
  return ways;
}

function intermediateOf(intermediates: Map<number, Middle>, token: number): Middle {
  const known = intermediates.get(token);
  if (known !== undefined) return known;
  const intermediate = { entries: [], exits: [] };
  intermediates.set(token, intermediate);
  return intermediate;
}

/** Of edges with the same other end the one that earns more stays. */
function keepBest(kept: PricedEdge[], ends: Int32Array, edge: number, surplus: number): void {
  const same = kept.findIndex((other) => ends[other.edge] === ends[edge]);
  if (same < 0) kept.push({ edge, surplus });
  else if ((kept[same]?.surplus ?? 0) < surplus) kept[same] = { edge, surplus };
}

function throughTwo(search: Search, { entries, exits, bridges }: Sorted): readonly Way[] {
  const { market, order, prices, cheapest, dearest } = search;
  const ways: Way[] = [];
  if (order.maxHops < 3) return ways;
  for (const edge of bridges) {
    const from = idAt(market.from, edge);
    const to = idAt(market.to, edge);
    const cheap = at(cheapest, from);
    const dear = at(dearest, to);
    const gain = cheap === 0 || dear === 0 ? 0 : earned(search, edge, cheap, dear);
    if (gain === 0) continue;
    const spot = at(market.spot, edge);
    const into: PricedEdge[] = [];
    for (const one of entries) {
      if (market.to[one] !== from) continue;
      keepMost(into, one, earned(search, one, at(prices, idAt(market.from, one)), dear * spot));
    }
    const out: PricedEdge[] = [];
    for (const one of exits) {
      if (market.from[one] !== to) continue;
      keepMost(out, one, earned(search, one, cheap / spot, at(prices, idAt(market.to, one))));
    }
    const [entry] = into;
    const [exit] = out;
    if (entry === undefined || exit === undefined) continue;
    const least = Math.min(entry.surplus, gain, exit.surplus);
    ways.push({ edges: [entry.edge, edge, exit.edge], gain: least });
  }
  return ways;
}

/** `kept` holds the one edge that earns most, if any earns something. */
function keepMost(kept: PricedEdge[], edge: number, surplus: number): void {
  if (surplus > (kept[0]?.surplus ?? 0)) kept[0] = { edge, surplus };
}

function earned({ market }: Search, edge: number, priceIn: number, priceOut: number): number {
  if (priceOut * at(market.spot, edge) <= priceIn) return 0;
  return surplusAt(market.smooth[edge] as Curve, priceIn, priceOut);
}
