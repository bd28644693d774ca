import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import { waysIn, waysOut } from './middles.ts';
import type { Search } from './search.ts';
import { bestEdges, sumOf } from './seed.ts';

/** Chains that are looked at on their curves, and how many of them are added. */
const CHAINS_PRICED = 12;
const NEW_CHAINS = 3;
const POOLS_PER_STEP = 2;

/** An edge between two tokens outside the set, with the cheapest way to its source and the dearest way from its target. */
type Chain = { readonly edge: number; readonly cheap: number; readonly dear: number; readonly most: number };

/**
 * Edges of chains through two unknown tokens, one of which does not touch known ones on both sides, so that no look for a
 * single middle finds it. None where routes of three hops are not asked for.
 */
export function chainsWorthAdding(
  search: Search,
  known: readonly number[],
  threshold: number,
): readonly number[] {
  if (search.order.maxHops < 3) return [];
  const { market } = search;
  const added: { readonly edges: readonly number[]; readonly gain: number }[] = [];
  for (const { edge, cheap, dear, most } of hopefulChains(search, known, threshold)) {
    const spot = at(market.spot, edge);
    const into = waysIn(search, { token: idAt(market.from, edge), dear: dear * spot });
    const out = waysOut(search, { token: idAt(market.to, edge), cheap: cheap / spot });
    const gain = Math.min(sumOf(into), most, sumOf(out));
    if (gain <= threshold) continue;
    const edges = [...bestEdges(into, POOLS_PER_STEP), edge, ...bestEdges(out, POOLS_PER_STEP)];
    added.push({ edges, gain });
  }
  added.sort((a, b) => b.gain - a.gain);
  return added.slice(0, NEW_CHAINS).flatMap(({ edges }) => edges);
}

/** Those that would earn most at prices of zero size, most first. */
function hopefulChains(search: Search, known: readonly number[], threshold: number): readonly Chain[] {
  const { market, cheapest, dearest } = search;
  const { bought, sold } = reachedFrom(search, known);
  const found: Chain[] = [];
  const consider = (edge: number): void => {
    const cheap = at(cheapest, idAt(market.from, edge));
    const dear = at(dearest, idAt(market.to, edge));
    if (cheap === 0 || dear * at(market.spot, edge) <= cheap) return;
    const most = surplusAt(market.exact[edge] as Curve, cheap, dear);
    if (most > threshold) found.push({ edge, cheap, dear, most });
  };
  // From the side with fewer tokens, and only those that cannot be a middle by themselves.
  const isSold = sold.length < bought.length;
  for (const token of isSold ? sold : bought) {
    if (at(isSold ? cheapest : dearest, token) > 0) continue;
    for (const edge of (isSold ? market.throughInto : market.through)[token] as Int32Array) consider(edge);
  }
  for (const token of bought) cheapest[token] = 0;
  for (const token of sold) dearest[token] = 0;
  found.sort((a, b) => b.most - a.most || a.edge - b.edge);
  return found.slice(0, CHAINS_PRICED);
}

/** Unknown tokens that known ones buy, and sell for, with the best prices of zero size left in the search's two tables. */
function reachedFrom(
  search: Search,
  known: readonly number[],
): { readonly bought: readonly number[]; readonly sold: readonly number[] } {
  const { market, order, prices, cheapest, dearest } = search;
  const bought: number[] = [];
  const sold: number[] = [];
  for (const token of known) {
    const price = at(prices, token);
    const out = market.through[token];
    for (let index = 0; token !== order.tokenOut && out !== undefined && index < out.length; index++) {
      const edge = idAt(out, index);
      const end = idAt(market.to, edge);
      if (at(prices, end) > 0) continue;
      const value = price / at(market.spot, edge);
      const before = at(cheapest, end);
      if (before === 0) bought.push(end);
      if (before === 0 || value < before) cheapest[end] = value;
    }
    const into = market.throughInto[token];
    for (let index = 0; token !== order.tokenIn && into !== undefined && index < into.length; index++) {
      const edge = idAt(into, index);
      const start = idAt(market.from, edge);
      if (at(prices, start) > 0) continue;
      const value = price * at(market.spot, edge);
      const before = at(dearest, start);
      if (before === 0 && value > 0) sold.push(start);
      if (value > before) dearest[start] = value;
    }
  }
  return { bought, sold };
}
