import { at, idAt } from './array-access.ts';
import { type Curve, outputFor } from './curve.ts';
import { movesFrom } from './exchange.ts';
import { prune } from './prune.ts';
import { realise, type Search, type Solved } from './search.ts';

/** Tokens that the plan passes through. */
export function intermediatesOf({ market, order }: Search, { flows }: Solved): readonly number[] {
  return [...new Set(flows.map(({ edge }) => idAt(market.to, edge)))].filter(
    (token) => token !== order.tokenOut,
  );
}

/**
 * A plan around `token`: the plan's other pools and the best pool past the token for each pair of its neighbours. The most promising pools
 * follow until the pool cap is reached. Null when nothing routable is left.
 */
export function detour(
  search: Search,
  solved: Solved,
  token: number,
  candidates: readonly number[],
): Solved | null {
  const { order, limits, market } = search;
  const rest = solved.flows
    .map(({ edge }) => edge)
    .filter((edge) => market.from[edge] !== token && market.to[edge] !== token);
  const start = realise(search, [...new Set([...rest, ...shortcuts(search, solved, token)])]);
  let current = start === null ? null : prune(search, start);
  while (current !== null) {
    const plan = current;
    const edges = plan.flows.map(({ edge }) => edge);
    const room = order.maxPools - edges.length;
    const fitting = movesFrom(search, plan, candidates, token).filter((move) => move.edges.length <= room);
    let best = plan;
    for (const move of fitting.slice(0, limits.fillTries)) {
      const wider = realise(search, [...edges, ...move.edges], best.plan.value);
      if (wider === null || wider.plan.value <= best.plan.value) continue;
      if (wider.plan.hops <= order.maxHops && search.fits(wider.plan)) best = wider;
    }
    if (best === plan) break;
    current = best;
  }
  return current;
}

/** For each way of the plan over the token, the pool that gives most for the amount that goes that way now. */
function shortcuts({ market }: Search, { plan }: Solved, token: number): readonly number[] {
  const found: number[] = [];
  for (const into of plan.legs) {
    if (market.to[into.edge] !== token) continue;
    for (const out of plan.legs) {
      if (market.from[out.edge] !== token) continue;
      const amount = into.amountIn * out.share;
      let best = -1;
      let most = 0;
      for (const edge of market.between(idAt(market.from, into.edge), idAt(market.to, out.edge))) {
        if (amount * at(market.spot, edge) <= most) continue;
        const isUsed = plan.legs.some((leg) => leg.edge >> 1 === edge >> 1);
        const amountOut = isUsed ? 0 : outputFor(market.exact[edge] as Curve, amount);
        if (amountOut <= most) continue;
        most = amountOut;
        best = edge;
      }
      if (best >= 0) found.push(best);
    }
  }
  return found;
}
