import { detour, intermediatesOf } from './detour.ts';
import { exchange, keyOf, missingGain, usePricesOf, WORTH_KEEPING, WORTH_TRYING } from './exchange.ts';
import { atHopsOf } from './hops.ts';
import type { Search, Solved } from './search.ts';
import { poolsOfWays } from './ways.ts';

/**
 * Improves the best of some plans within the caps: by exchange of pools, then by exchange with pools of the whole market, then
 * around each of its intermediate tokens: two pools in a row that a single one could replace hold a place that no exchange of one pool frees.
 * Null without a plan to start from.
 */
export function polish(
  search: Search,
  starts: readonly Solved[],
  candidates: readonly number[],
): Solved | null {
  const tried = new Set<string>();
  let best: Solved | null = null;
  for (const start of starts) {
    const key = keyOf(start.flows.map(({ edge }) => edge));
    if (tried.has(key)) continue;
    tried.add(key);
    const other = exchange(search, start, candidates, tried, search.limits.maxSwaps);
    if (best === null || other.plan.value > best.plan.value) best = other;
  }
  if (best === null) return null;
  const wider = { best, candidates: [...candidates] };
  exchangeWithMarket(search, wider, tried);
  goAround(search, wider, tried);
  return wider.best;
}

type State = { best: Solved; readonly candidates: number[] };

function exchangeWithMarket(search: Search, state: State, tried: Set<string>): void {
  const { order, limits } = search;
  if (order.maxHops < 2) return;
  for (let look = 0; look < limits.marketLooks; look++) {
    const { best, candidates } = state;
    const excess = best.flows.length + 2 - order.maxPools;
    const missing = missingGain(best, best.plan.value * (1 + WORTH_KEEPING), excess);
    const known = usePricesOf(search, best);
    const found = atHopsOf(search, best.flows, () =>
      poolsOfWays(search, known, Math.max(missing, WORTH_TRYING * best.plan.value)),
    );
    const added = found.filter((edge) => !candidates.includes(edge));
    if (added.length === 0) return;
    candidates.push(...added);
    state.best = exchange(search, best, candidates, tried, limits.maxSwaps);
  }
}

function goAround(search: Search, state: State, tried: Set<string>): void {
  const { limits } = search;
  const { candidates } = state;
  const done = new Set<string>();
  for (let left = limits.detours; left > 0; left--) {
    const { best } = state;
    const pools = keyOf(best.flows.map(({ edge }) => edge));
    const token = intermediatesOf(search, best).find(
      (intermediate) => !done.has(`${intermediate} of ${pools}`),
    );
    if (token === undefined) return;
    done.add(`${token} of ${pools}`);
    const around = detour(search, best, token, candidates);
    if (around === null) continue;
    const other = exchange(search, around, candidates, tried, limits.detourSwaps);
    if (other.plan.value > best.plan.value * (1 + WORTH_KEEPING)) state.best = other;
  }
}
