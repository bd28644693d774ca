import type { DualFlow } from './dual-problem.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';

/**
 * The flows that can become a route: no edge into the input or out of the output, no cycle, no edge out of a token nothing
 * feeds or into one nothing leaves. (No pool trades both ways: at one set of prices its fee forbids that.) Cycles exist when stale pools offer free arbitrage; the optimum of
 * the dual runs them, a transaction cannot. Each loses its smallest flow.
 */
export function routableFlows(market: Market, order: Order, flows: readonly DualFlow[]): readonly DualFlow[] {
  let kept: readonly DualFlow[] = flows.filter(
    ({ edge }) => market.from[edge] !== order.tokenOut && market.to[edge] !== order.tokenIn,
  );
  for (;;) {
    kept = connected(market, order, kept);
    const cycle = findCycle(market, kept);
    if (cycle === null) return kept;
    const weakest = cycle.reduce((least, flow) => (flow.worth < least.worth ? flow : least));
    kept = kept.filter((flow) => flow !== weakest);
  }
}

function connected(market: Market, order: Order, flows: readonly DualFlow[]): readonly DualFlow[] {
  let kept = flows;
  for (;;) {
    const fed = [order.tokenIn];
    const left = [order.tokenOut];
    for (const { edge } of kept) {
      fed.push(market.to[edge] ?? 0);
      left.push(market.from[edge] ?? 0);
    }
    const next = kept.filter(
      ({ edge }) => fed.includes(market.from[edge] ?? 0) && left.includes(market.to[edge] ?? 0),
    );
    if (next.length === kept.length) return kept;
    kept = next;
  }
}

/** One cycle as its edges, or null. */
function findCycle(market: Market, flows: readonly DualFlow[]): readonly DualFlow[] | null {
  // Take away every edge that no edge feeds; the rest contains a cycle, and each remaining token is fed from inside.
  let rest = flows;
  for (;;) {
    const fed = rest.map(({ edge }) => market.to[edge]);
    const next = rest.filter(({ edge }) => fed.includes(market.from[edge]));
    if (next.length === rest.length) break;
    rest = next;
  }
  const start = rest[0];
  if (start === undefined) return null;
  const seen = new Map<number, number>();
  const walk: DualFlow[] = [];
  let token = market.from[start.edge] ?? 0;
  for (;;) {
    const first = seen.get(token);
    if (first !== undefined) return walk.slice(first);
    seen.set(token, walk.length);
    const here = token;
    const back = rest.find(({ edge }) => market.to[edge] === here);
    if (back === undefined) return null;
    walk.push(back);
    token = market.from[back.edge] ?? 0;
  }
}
