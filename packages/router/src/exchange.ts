import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import { isWithinHops } from './hops.ts';
import { prune } from './prune.ts';
import { realise, type Search, type Solved } from './search.ts';
import { leastSum } from './seed.ts';
import { type Way, waysAmong } from './ways.ts';

/** A move that would earn less than this part of the order is not tried; a plan is kept when it gains half of it. */
export const WORTH_TRYING = 2e-7;
export const WORTH_KEEPING = 1e-7;

/** In place of a token when none is forbidden. */
export const NO_TOKEN = -1;

/**
 * Exchanges pools until none improves the plan, or `maxSwaps` were tried: takes in the most promising pools at the plan's own prices,
 * re-solves, prunes back, keeps a better plan. Sets of pools in `tried` are not tried again, and new ones are added: a set that gained
 * nothing from one start is no better from another.
 */
export function exchange(
  search: Search,
  start: Solved,
  candidates: readonly number[],
  tried: Set<string>,
  maxSwaps: number,
): Solved {
  const { limits, order } = search;
  let best = start;
  let swaps = 0;
  for (let round = 0; round < limits.polishRounds && swaps < maxSwaps; round++) {
    let improved = false;
    for (const { edges, gain } of movesFrom(search, best, candidates, NO_TOKEN)) {
      if (swaps >= maxSwaps) break;
      const least = best.plan.value * (1 + WORTH_KEEPING);
      if (gain < missingGain(best, least, best.flows.length + edges.length - order.maxPools)) continue;
      const set = [...best.flows.map(({ edge }) => edge), ...edges];
      const key = keyOf(set);
      if (tried.has(key)) continue;
      tried.add(key);
      swaps++;
      const wider = realise(search, set, least);
      const pruned = wider === null ? null : prune(search, wider, least);
      if (pruned !== null && pruned.plan.value > least) {
        best = pruned;
        improved = true;
        break;
      }
    }
    if (!improved) break;
  }
  return best;
}

/**
 * Pools that a plan may lack, most promising first and not too many: pools between its tokens, out of the whole market, and ways through
 * tokens that it does not touch, out of the candidates. Nothing of its own pools, and no way through `without`.
 */
export function movesFrom(
  search: Search,
  solved: Solved,
  candidates: readonly number[],
  without: number,
): readonly Way[] {
  const { market, order, prices } = search;
  const known = usePricesOf(search, solved);
  const threshold = WORTH_TRYING * order.amount * at(prices, order.tokenIn);
  const used = solved.flows.map(({ edge }) => edge >> 1);
  const moves = waysAmong(search, candidates, without).filter(
    ({ edges, gain }) => gain > threshold && !edges.some((edge) => used.includes(edge >> 1)),
  );
  for (const u of known) {
    if (u === order.tokenOut) continue;
    for (const v of known) {
      if (v === u || v === order.tokenIn || !isWithinHops(search, u, v)) continue;
      for (const edge of market.between(u, v)) {
        if (at(prices, v) * at(market.spot, edge) <= at(prices, u) || used.includes(edge >> 1)) continue;
        const gain = surplusAt(market.smooth[edge] as Curve, at(prices, u), at(prices, v));
        if (gain > threshold) moves.push({ edges: [edge], gain });
      }
    }
  }
  return moves.sort((a, b) => b.gain - a.gain).slice(0, search.limits.addTries);
}

/** Makes the plan's prices the current ones and forgets all others. Returns its tokens. */
export function usePricesOf(search: Search, { flows, solution }: Solved): readonly number[] {
  const { market, order, prices } = search;
  const known = [order.tokenIn, order.tokenOut];
  for (const { edge } of flows) {
    for (const token of [idAt(market.from, edge), idAt(market.to, edge)]) {
      if (!known.includes(token)) known.push(token);
    }
  }
  prices.fill(0);
  solution.tokens.forEach((token, index) => {
    if (known.includes(token)) prices[token] = solution.prices[index] ?? 0;
  });
  return known;
}

/**
 * The gain that new pools must bring at a plan's own prices. With it a route of them and of the plan's, less the `excess` that earn least,
 * can be worth `least`. Needs no solve, and most exchanges end here.
 */
export function missingGain({ flows, solution }: Solved, least: number, excess: number): number {
  return least - solution.value + leastSum(flows, excess);
}

/** The same for the same set of edges. */
export function keyOf(edges: readonly number[]): string {
  return [...edges].sort((a, b) => a - b).join();
}
