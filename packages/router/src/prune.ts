import type { DualFlow } from './dual-problem.ts';
import { realise, type Search, type Solved } from './search.ts';
import { leastSum } from './seed.ts';

/** Further over the cap than this, pools go in bulk: single drops could not change the outcome yet. */
const BULK_EXCESS = 6;

/**
 * Drops pools until the plan is within the pool and hop caps and fits a transaction. Then drops more while a drop saves more fixed cost
 * than it loses output. Each drop tries the pools that earn least and re-solves, because the rest of the route shifts when one goes. Null
 * when nothing routable is left, or when the outcome would surely be worth less than `least`. `first` names the first goal while there are
 * both too many pools and ways too long.
 */
export function prune(
  search: Search,
  start: Solved,
  least = 0,
  first: 'pools' | 'hops' = 'pools',
): Solved | null {
  const { order } = search;
  let current = pruneInBulk(search, start, least);
  while (current !== null) {
    const excess = current.plan.legs.length - order.maxPools;
    if (excess > 0 && boundOf(search, current) < least) return null;
    if (excess > 0 && !(first === 'hops' && current.plan.hops > order.maxHops)) {
      current = dropOne(search, current, current.flows, least);
    } else if (current.plan.hops > order.maxHops) {
      current = dropOne(search, current, flowsOnLongWays(search, current), least);
    } else if (search.fits(current.plan)) break;
    else current = dropOne(search, current, current.flows, least);
  }
  return current === null ? null : dropCostly(search, current);
}

/** As few pools as go in bulk, which is where every way of pruning begins. Null when nothing routable is left. */
export function pruneInBulk(search: Search, start: Solved, least = 0): Solved | null {
  let current: Solved | null = start;
  while (current !== null) {
    const excess = current.plan.legs.length - search.order.maxPools;
    if (excess <= BULK_EXCESS) break;
    if (boundOf(search, current) < least) return null;
    current = dropBulk(search, current, Math.ceil(excess / 3), least);
  }
  return current;
}

/** No route of at most `maxPools` of these pools gives more: the input at its price plus the largest surpluses. */
function boundOf(search: Search, { flows, solution }: Solved): number {
  return solution.value - leastSum(flows, flows.length - search.order.maxPools);
}

function dropBulk(search: Search, solved: Solved, count: number, least: number): Solved | null {
  const doomed = new Set(leastEarning(solved.flows, count).map(({ edge }) => edge));
  const rest = solved.flows.filter(({ edge }) => !doomed.has(edge)).map(({ edge }) => edge);
  return realise(search, rest, least);
}

function dropOne(
  search: Search,
  solved: Solved,
  candidates: readonly DualFlow[],
  least: number,
): Solved | null {
  let best: Solved | null = null;
  for (const { edge: dropped, surplus } of leastEarning(candidates, search.limits.dropTries)) {
    // At the present prices the others bring the optimum less this surplus; at their own they bring no more than that.
    const known = best === null ? least : best.plan.value;
    if (solved.solution.value - surplus < known) break;
    const rest = solved.flows.filter(({ edge }) => edge !== dropped).map(({ edge }) => edge);
    const tried = realise(search, rest, known);
    if (tried !== null && (best === null || tried.plan.value > best.plan.value)) best = tried;
  }
  return best;
}

function dropCostly(search: Search, start: Solved): Solved {
  const { order } = search;
  let current = start;
  if (order.legCost === 0 && order.intermediateCost === 0) return current;
  while (current.plan.legs.length > 1) {
    const tried = dropOne(search, current, current.flows, current.plan.value);
    if (tried === null || tried.plan.value <= current.plan.value || !search.fits(tried.plan)) break;
    current = tried;
  }
  return current;
}

function leastEarning(flows: readonly DualFlow[], count: number): readonly DualFlow[] {
  return [...flows].sort((a, b) => a.surplus - b.surplus || a.edge - b.edge).slice(0, count);
}

/** Flows that lie on a way of more than `maxHops` pools: dropping any other would not shorten the plan. */
function flowsOnLongWays(search: Search, solved: Solved): readonly DualFlow[] {
  const { market, order } = search;
  const fromStart = new Map<number, number>([[order.tokenIn, 0]]);
  const toEnd = new Map<number, number>([[order.tokenOut, 0]]);
  // Legs are in execution order, so one pass forwards and one backwards find the longest ways.
  for (const { edge } of solved.plan.legs) {
    const depth = (fromStart.get(market.from[edge] ?? 0) ?? 0) + 1;
    const to = market.to[edge] ?? 0;
    fromStart.set(to, Math.max(fromStart.get(to) ?? 0, depth));
  }
  for (const { edge } of [...solved.plan.legs].reverse()) {
    const depth = (toEnd.get(market.to[edge] ?? 0) ?? 0) + 1;
    const from = market.from[edge] ?? 0;
    toEnd.set(from, Math.max(toEnd.get(from) ?? 0, depth));
  }
  return solved.flows.filter(({ edge }) => {
    const before = fromStart.get(market.from[edge] ?? 0) ?? 0;
    const after = toEnd.get(market.to[edge] ?? 0) ?? 0;
    return before + 1 + after > order.maxHops;
  });
}
