import { at } from './array-access.ts';
import { chainsWorthAdding } from './chains.ts';
import type { DualSolution } from './dual-problem.ts';
import { isWithinHops } from './hops.ts';
import { intermediatesWorthAdding, waysIn, waysOut } from './intermediates.ts';
import type { ColumnLimits } from './limits.ts';
import { forget, lookAt, lookOutside, NOTHING_OUTSIDE } from './outside.ts';
import type { Search } from './search.ts';
import { bestEdges, topEdges } from './seed.ts';

const POOLS_PER_PAIR = 3;
const NEW_TOKENS = 5;
const POOLS_PER_SIDE = 2;
/** Tokens that the next rounds look at instead of the whole market. */
const SHORTLIST = 60;

/** Missing edges, and the unknown tokens worth looking at again first. */
export type Missing = { readonly edges: readonly number[]; readonly shortlist: readonly number[] };

/** The place and the goal of the search, and how large the set may become. */
export type Look = {
  /** Unknown tokens that are looked at; null for all of the market. */
  readonly shortlist: readonly number[] | null;
  /** Gains worth a column, and gains of chains, as parts of the order. */
  readonly least: number;
  readonly leastChain: number;
  readonly room: ColumnLimits;
};

/**
 * Edges outside `inside` that would earn something at the solution's prices: between its tokens, and through tokens it does not know yet.
 * All edges that could matter are priced, so the final set is a certified optimum rather than a guess. `search.prices` must be the
 * solution's. No edges when nothing is missing, or when the set is full.
 */
export function missingEdges(
  search: Search,
  solution: DualSolution,
  inside: ReadonlySet<number>,
  { shortlist, least, leastChain, room }: Look,
): Missing {
  const { order, prices } = search;
  const whole = order.amount * at(prices, order.tokenIn);
  const threshold = least * whole;
  const free = room.maxEdges - inside.size;
  if (free <= 0) return { edges: [], shortlist: [] };
  const known = solution.tokens;
  const among = edgesAmong(search, known, inside, threshold);
  const isWider = known.length < room.maxTokens && order.maxHops > 1;
  const outside = !isWider
    ? NOTHING_OUTSIDE
    : shortlist === null
      ? lookOutside(search, known)
      : lookAt(search, known, shortlist);
  const intermediates = intermediatesWorthAdding(search, outside, threshold, NEW_TOKENS, SHORTLIST);
  const through = intermediates.best.flatMap((intermediate) => [
    ...bestEdges(waysIn(search, known, intermediate), POOLS_PER_SIDE),
    ...bestEdges(waysOut(search, known, intermediate), POOLS_PER_SIDE),
  ]);
  const single = [...among, ...through].filter((edge) => !inside.has(edge));
  // The last look, when nothing simpler is missing anywhere.
  const edges =
    single.length > 0 || shortlist !== null || !isWider
      ? single
      : chainsWorthAdding(search, outside, leastChain * whole).filter((edge) => !inside.has(edge));
  forget(search, outside);
  return {
    edges: edges.slice(0, free),
    shortlist: intermediates.next,
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
      if (v === u || v === order.tokenIn || !isWithinHops(search, u, v)) continue;
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
