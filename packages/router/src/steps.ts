import { at } from './array-access.ts';
import { type Curve, outputFor } from './curve.ts';
import type { WeightedEdge } from './plan.ts';
import type { Search } from './search.ts';

const STEPS = 20;
const MAX_PATHS = 40;
/** Half of the paths are the best for the whole order, half for this part of it: the first may be too shallow to share. */
const SMALL_STEPS = 3;
const MAX_SPLITS = 4;
/** Longer paths are left to the dual: their number would swamp the enumeration. */
const MAX_HOPS = 3;
/** Pools per pair of tokens that paths are made of. */
const POOLS_PER_PAIR = 3;

type Edges = readonly number[];
type Path = { readonly edges: Edges; readonly outs: Float64Array };

/**
 * Divides the order in steps of 5 % over at most four paths that share no pool, under the pool cap: most routers do this. Paths are taken
 * greedily; the division over given paths is the best possible, because each path's output is concave. Returns the edges with their amounts
 * as weights, or null when no path gives anything.
 */
export function stepSplit(search: Search, candidates: readonly number[]): readonly WeightedEdge[] | null {
  const large = rankedAt(search, pathsAmong(search, candidates), STEPS);
  const small = rankedAt(search, large, SMALL_STEPS);
  const half = MAX_PATHS / 2;
  const pool = [...new Set([...large.slice(0, half), ...small.slice(0, half)])].map(
    (edges): Path => ({ edges, outs: outputs(search, edges) }),
  );

  let chosen: Path[] = [];
  let total = 0;
  while (chosen.length < MAX_SPLITS) {
    let best: Path | null = null;
    for (const path of pool) {
      if (!compatible(search, chosen, path)) continue;
      const out = divide([...chosen, path]).out;
      if (out > total) {
        total = out;
        best = path;
      }
    }
    if (best === null) break;
    chosen = [...chosen, best];
  }
  return chosen.length === 0 ? null : weightsOf(search, chosen, divide(chosen).counts);
}

/** Paths by their output for so many steps of the order, best first. */
function rankedAt(search: Search, paths: readonly Edges[], steps: number): readonly Edges[] {
  return paths
    .map((edges) => ({ edges, out: amountsAlong(search, edges, steps).out }))
    .sort((a, b) => b.out - a.out)
    .map(({ edges }) => edges);
}

function compatible(search: Search, chosen: readonly Path[], path: Path): boolean {
  const used = new Set(chosen.flatMap(({ edges }) => edges.map((edge) => edge >> 1)));
  if (used.size + path.edges.length > search.order.maxPools) return false;
  return path.edges.every((edge) => !used.has(edge >> 1));
}

/** Best division: the next step always goes where it adds most. */
function divide(paths: readonly Path[]): { readonly out: number; readonly counts: readonly number[] } {
  const counts = paths.map(() => 0);
  let out = 0;
  for (let step = 0; step < STEPS; step++) {
    let best = 0;
    let most = -1;
    paths.forEach((path, index) => {
      const count = counts[index] ?? 0;
      const gain = at(path.outs, count + 1) - at(path.outs, count);
      if (gain > most) {
        most = gain;
        best = index;
      }
    });
    counts[best] = (counts[best] ?? 0) + 1;
    out += most;
  }
  return { out, counts };
}

function outputs(search: Search, edges: readonly number[]): Float64Array {
  const outs = new Float64Array(STEPS + 1);
  for (let step = 1; step <= STEPS; step++) outs[step] = amountsAlong(search, edges, step).out;
  return outs;
}

function amountsAlong(
  search: Search,
  edges: readonly number[],
  steps: number,
): { readonly ins: readonly number[]; readonly out: number } {
  let held = (search.order.amount * steps) / STEPS;
  const ins: number[] = [];
  for (const edge of edges) {
    ins.push(held);
    held = outputFor(search.market.exact[edge] as Curve, held);
  }
  return { ins, out: held };
}

function weightsOf(
  search: Search,
  paths: readonly Path[],
  counts: readonly number[],
): readonly WeightedEdge[] {
  return paths.flatMap(({ edges }, index) => {
    const count = counts[index] ?? 0;
    if (count === 0) return [];
    const { ins } = amountsAlong(search, edges, count);
    return edges.map((edge, hop) => ({ edge, weight: ins[hop] ?? 0 }));
  });
}

/** Paths of at most `maxHops` edges over the best few candidates of each pair of tokens. */
function pathsAmong(search: Search, candidates: readonly number[]): readonly (readonly number[])[] {
  const { market, order } = search;
  const pairs = new Map<string, number[]>();
  const outOf = new Map<number, number[]>();
  const ranked = [...candidates].sort((a, b) => at(market.spot, b) - at(market.spot, a));
  for (const edge of ranked) {
    const from = market.from[edge] ?? 0;
    const to = market.to[edge] ?? 0;
    if (from === order.tokenOut || to === order.tokenIn) continue;
    const key = `${from}>${to}`;
    const pair = pairs.get(key) ?? [];
    if (pair.length >= POOLS_PER_PAIR) continue;
    pairs.set(key, [...pair, edge]);
    outOf.set(from, [...(outOf.get(from) ?? []), edge]);
  }
  const found: (readonly number[])[] = [];
  const extend = (path: readonly number[], token: number): void => {
    for (const edge of outOf.get(token) ?? []) {
      const to = market.to[edge] ?? 0;
      if (to === order.tokenOut) found.push([...path, edge]);
      else if (
        path.length + 1 < Math.min(order.maxHops, MAX_HOPS) &&
        !path.some((e) => market.from[e] === to)
      ) {
        extend([...path, edge], to);
      }
    }
  };
  extend([], order.tokenIn);
  return found;
}
