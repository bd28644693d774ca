import { at } from './array-access.ts';
import { type Curve, surplusAt } from './curve.ts';
import { prune } from './prune.ts';
import { entryPrice, exitPrice, realise, type Search, type Solved } from './search.ts';
import { bestEdges, leastSum, type PricedEdge, sumOf } from './seed.ts';

/** A left-out pool is tried when it would earn this part of the order, and kept when the plan gains half of it. */
const WORTH_TRYING = 2e-7;
const WORTH_KEEPING = 1e-7;

/**
 * Improves a pruned plan by exchange: adds the left-out candidate that earns most at the plan's own prices (completed to
 * a path if an end of it is unknown), re-solves, prunes back, keeps what is better. Ends when a round brings nothing. Sets of
 * pools in `tried` are not tried again, and what is tried is added: what one start gained nothing by is no better from another.
 */
export function polish(
  search: Search,
  start: Solved,
  candidates: readonly number[],
  tried: Set<string>,
): Solved {
  const { limits } = search;
  let best = start;
  let swaps = 0;
  for (let round = 0; round < limits.polishRounds && swaps < limits.maxSwaps; round++) {
    let improved = false;
    for (const edge of worthTrying(search, best, candidates)) {
      if (swaps >= limits.maxSwaps) break;
      const added = completed(search, best, edge, candidates);
      const least = best.plan.value * (1 + WORTH_KEEPING);
      if (boundWith(search, best, added) < least) continue;
      const set = [...best.flows.map((flow) => flow.edge), ...added.map((extra) => extra.edge)];
      const key = keyOfEdges(set);
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

/** The same for plans over the same pools. */
export function keyOf({ flows }: Solved): string {
  return keyOfEdges(flows.map(({ edge }) => edge));
}

function keyOfEdges(edges: readonly number[]): string {
  return [...edges].sort((a, b) => a - b).join();
}

/**
 * No route of at most `maxPools` of the plan's pools and the added ones gives more: the bound at the plan's own prices,
 * which needs no solve. Most exchanges end here.
 */
function boundWith(search: Search, { flows, solution }: Solved, added: readonly PricedEdge[]): number {
  const all = [...flows, ...added];
  return solution.value + sumOf(added) - leastSum(all, all.length - search.order.maxPools);
}

function worthTrying(search: Search, solved: Solved, candidates: readonly number[]): readonly number[] {
  const { market, order, prices } = search;
  const priceIn = usePricesOf(search, solved);
  const used = new Set(solved.flows.map(({ edge }) => edge >> 1));
  const ranked: PricedEdge[] = [];
  for (const edge of candidates) {
    if (used.has(edge >> 1)) continue;
    const source = entryPrice(search, market.from[edge] ?? 0, priceIn);
    const target = exitPrice(search, market.to[edge] ?? 0);
    if (source <= 0 || target <= 0) continue;
    const surplus = surplusAt(market.smooth[edge] as Curve, source, target);
    if (surplus > WORTH_TRYING * order.amount * at(prices, order.tokenIn)) ranked.push({ edge, surplus });
  }
  return bestEdges(ranked, search.limits.addTries);
}

/** Makes the solution's prices the current ones, forgetting those of tokens it does not use. Returns the input's. */
function usePricesOf(search: Search, solved: Solved): number {
  const { prices, order } = search;
  prices.fill(0);
  solved.solution.tokens.forEach((token, index) => {
    prices[token] = solved.solution.prices[index] ?? 0;
  });
  return at(prices, order.tokenIn);
}

/** The edge, with the best candidate into its source and out of its target where the plan does not touch them yet. */
function completed(
  search: Search,
  solved: Solved,
  edge: number,
  candidates: readonly number[],
): readonly PricedEdge[] {
  const { market, order } = search;
  const priceIn = usePricesOf(search, solved);
  const touched = new Set<number>([order.tokenIn, order.tokenOut]);
  for (const flow of solved.flows) {
    touched.add(market.from[flow.edge] ?? 0);
    touched.add(market.to[flow.edge] ?? 0);
  }
  const from = market.from[edge] ?? 0;
  const to = market.to[edge] ?? 0;
  const isNewFrom = !touched.has(from);
  const isNewTo = !touched.has(to);
  const priceFrom = isNewFrom ? entryPrice(search, from, priceIn) : at(search.prices, from);
  const priceTo = isNewTo ? exitPrice(search, to) : at(search.prices, to);
  const surplusOf = (candidate: number, a: number, b: number): number =>
    surplusAt(market.smooth[candidate] as Curve, a, b);
  const added: PricedEdge[] = [{ edge, surplus: surplusOf(edge, priceFrom, priceTo) }];
  const best = (into: number, outOf: number, a: number, b: number): void => {
    let found: PricedEdge | null = null;
    for (const candidate of candidates) {
      if (market.from[candidate] !== outOf || market.to[candidate] !== into) continue;
      const surplus = surplusOf(candidate, a, b);
      // Even a candidate that earns nothing at these bounds completes the path: the re-solve prices it properly.
      if (found === null || surplus > found.surplus) found = { edge: candidate, surplus };
    }
    if (found !== null) added.push(found);
  };
  if (isNewFrom) best(from, order.tokenIn, priceIn, priceFrom);
  if (isNewTo) best(order.tokenOut, to, priceTo, 1);
  return added;
}
