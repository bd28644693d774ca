import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt, surplusBound } from './curve.ts';
import { isWithinHops } from './hops.ts';
import { waysIn, waysOut } from './intermediates.ts';
import type { Outside } from './outside.ts';
import type { Search } from './search.ts';
import { bestEdges, sumOf } from './seed.ts';
import { keepTop } from './top.ts';

/** Chains that are looked at on their curves, and how many of them are added. */
const CHAINS_PRICED = 12;
const NEW_CHAINS = 3;
const POOLS_PER_STEP = 2;

/** An edge between two tokens outside the set, with the cheapest way to its source and the dearest way from its target. */
type Chain = { readonly edge: number; readonly cheap: number; readonly dear: number; readonly gain: number };

/**
 * Edges of chains through two unknown tokens, none of which need be worth anything as a single intermediate. None where routes of three
 * hops are not asked for.
 */
export function chainsWorthAdding(search: Search, outside: Outside, threshold: number): readonly number[] {
  if (search.order.maxHops < 3) return [];
  const { market } = search;
  const added: { readonly edges: readonly number[]; readonly gain: number }[] = [];
  for (const { edge, cheap, dear, gain: most } of hopefulChains(search, outside, threshold)) {
    const spot = at(market.spot, edge);
    const into = waysIn(search, outside.known, { token: idAt(market.from, edge), dear: dear * spot });
    const out = waysOut(search, outside.known, { token: idAt(market.to, edge), cheap: cheap / spot });
    const gain = Math.min(sumOf(into), most, sumOf(out));
    if (gain <= threshold) continue;
    const edges = [...bestEdges(into, POOLS_PER_STEP), edge, ...bestEdges(out, POOLS_PER_STEP)];
    added.push({ edges, gain });
  }
  added.sort((a, b) => b.gain - a.gain);
  return added.slice(0, NEW_CHAINS).flatMap(({ edges }) => edges);
}

/** Those that would earn most at prices of zero size, most first. */
function hopefulChains(search: Search, { bought, sold }: Outside, threshold: number): readonly Chain[] {
  const { market, prices, cheapest, dearest } = search;
  const found: Chain[] = [];
  let least = threshold;
  const consider = (edge: number): void => {
    const dear = at(dearest, idAt(market.to, edge));
    if (dear === 0) return;
    const cheap = at(cheapest, idAt(market.from, edge));
    const spot = at(market.spot, edge);
    if (cheap === 0 || dear * spot <= cheap) return;
    if (!isWithinHops(search, idAt(market.from, edge), idAt(market.to, edge))) return;
    if (surplusBound(spot, at(market.holds, edge), at(market.deepest, edge), cheap, dear) <= least) return;
    const gain = surplusAt(market.exact[edge] as Curve, cheap, dear);
    if (gain <= least) return;
    least = keepTop(found, { edge, cheap, dear, gain }, CHAINS_PRICED, least);
  };
  const hubs = market.hubs.filter((token) => at(prices, token) === 0);
  // From the side with fewer tokens, which has a handful when an end of the order trades in few pools only.
  if (sold.length <= hubs.length) {
    for (const token of sold) for (const edge of market.throughInto[token] as Int32Array) consider(edge);
  } else if (bought.length <= hubs.length) {
    for (const token of bought) for (const edge of market.through[token] as Int32Array) consider(edge);
  } else {
    for (const edge of market.bridges) consider(edge);
    // Nearly all other edges are those of a hub, and known hubs have no part in a chain.
    for (const hub of hubs) {
      if (at(cheapest, hub) > 0) for (const edge of market.through[hub] as Int32Array) consider(edge);
      if (at(dearest, hub) === 0) continue;
      for (const edge of market.throughInto[hub] as Int32Array) {
        // Between two hubs it was seen from the other one.
        if (!hubs.includes(idAt(market.from, edge))) consider(edge);
      }
    }
  }
  return found;
}
