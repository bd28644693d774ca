import type { BestPath } from './best-path.ts';
import { type Candidates, cappedBound, growCandidates } from './candidates.ts';
import { type Curve, marginalAt, outputFor } from './curve.ts';
import { incrementalEdges } from './incremental.ts';
import { type Plan, simulate } from './plan.ts';
import { polish } from './polish.ts';
import { prune, pruneInBulk } from './prune.ts';
import { realise, routeOf, type Search, type Solved, startFromPath } from './search.ts';
import { seedEdges } from './seed.ts';
import { stepSplit } from './steps.ts';

/** A plan this close to a bound cannot be improved by anything a user would notice. */
const GOOD_ENOUGH = 1e-6;
/** Part of the optimum that only circles explain: on markets without stale pools a route keeps all but half of that. */
const CIRCLES = 3e-4;

/** Candidate pools around the best path, which every variant below works on. */
export function candidatesAround(search: Search, path: BestPath): Candidates {
  const { market } = search;
  const amounts: number[] = [];
  let held = search.order.amount;
  for (const edge of path.edges) {
    amounts.push(held);
    held = outputFor(market.exact[edge] as Curve, held);
  }
  startFromPath(search, path.edges, amounts);
  const rate = path.edges.reduce(
    (product, edge, index) => product * marginalAt(market.exact[edge] as Curve, amounts[index] ?? 0),
    1,
  );
  return growCandidates(search, seedEdges(search, path.edges, rate));
}

/**
 * Plans within the caps, found in different ways because each way misses pool sets that another finds: the optimum of
 * the unlimited problem pruned, incremental fills re-split where that optimum is no guide, 5 % steps as they are and re-split; the
 * best of all that polishing makes of them. Stops early once a plan is as good as the bound. May be empty when nothing but the floor
 * path works.
 */
export function plansFrom(search: Search, candidates: Candidates): readonly Plan[] {
  const { order } = search;
  const free = order.legCost === 0 && order.intermediateCost === 0;
  const bound = candidates.complete && free ? cappedBound(search, candidates) : Number.POSITIVE_INFINITY;
  const settled = (solved: Solved | null): boolean =>
    solved !== null && solved.plan.out >= bound * (1 - GOOD_ENOUGH);

  const relaxed = routeOf(search, candidates.solution);
  const pruned = prunedBothWays(search, relaxed);
  let best = pruned.reduce(better, null);
  if (best !== null && settled(best)) return [best.plan];

  const consider = (edges: readonly number[]): void => {
    const solved = realise(search, edges);
    const capped = solved === null ? null : prune(search, solved);
    best = better(best, capped);
  };
  const plans: Plan[] = [];
  // Then the optimum is no guide: stale pools offer circles of free gain, which no transaction runs.
  const isStale = (relaxed?.plan.out ?? 0) < candidates.solution.value * (1 - CIRCLES);
  const edges = new Set(candidates.edges);
  if (isStale) {
    // The circles of a few pools fill a small set before it holds the pools that the order needs; larger ones miss the small one's finds.
    const more = growCandidates(search, candidates.edges, search.limits.staleColumns);
    pruned.push(...prunedBothWays(search, routeOf(search, more.solution)));
    best = pruned.reduce(better, null);
    for (const edge of more.edges) edges.add(edge);
    for (const chunks of search.limits.chunks) consider(incrementalEdges(search, more.edges, chunks));
  }
  const steps = stepSplit(search, candidates.edges);
  if (steps !== null) {
    const plan = simulate(search.market, order, steps);
    if (plan.hops <= order.maxHops && search.fits(plan)) plans.push(plan);
    consider(steps.map(({ edge }) => edge));
  }
  if (best !== null && settled(best)) return [...plans, best.plan];
  const starts = [best, ...pruned].filter((start) => start !== null);
  const polished = polish(search, starts, [...edges]);
  if (polished !== null) plans.push(polished.plan);
  return plans;
}

/** Pools over the cap dropped first, and ways too long dropped first: each order can leave a plan that the other would not. */
function prunedBothWays(search: Search, relaxed: Solved | null): (Solved | null)[] {
  const few = relaxed === null ? null : pruneInBulk(search, relaxed);
  if (few === null) return [];
  const byPools = prune(search, few);
  return few.plan.hops <= search.order.maxHops ? [byPools] : [byPools, prune(search, few, 0, 'hops')];
}

function better(known: Solved | null, other: Solved | null): Solved | null {
  return other !== null && (known === null || other.plan.value > known.plan.value) ? other : known;
}
