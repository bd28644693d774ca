import { bestPath } from '../src/best-path.ts';
import { candidatesAround } from '../src/ensemble.ts';
import { settle } from '../src/integers.ts';
import { LIVE_LIMITS } from '../src/limits.ts';
import type { Market } from '../src/market.ts';
import type { Order } from '../src/order.ts';
import { type Plan, pathPlan, simulate } from '../src/plan.ts';
import { createSearches } from '../src/router.ts';
import { stepSplit } from '../src/steps.ts';

/** The outputs of simpler routers for the same order, in whole units of the output token; 0 = no route. */
export type Baselines = { readonly bestPath: number; readonly steps: number };

/** The best single path, and 5 % steps over the candidates that the router's own column generation finds. */
export function createBaselines(market: Market): (order: Order, amountIn: bigint) => Baselines {
  const open = createSearches(LIVE_LIMITS);
  return (order, amountIn) => {
    // Settled as a route is: no pool pays a fraction of a unit, and where few units pass one is worth a tenth of a bps.
    const settled = (plan: Plan): number => Number(settle(market, order, plan, amountIn)?.out ?? 0n);
    const search = open(market, order, () => true);
    const path = bestPath(market, order, search.reach);
    if (path === null) return { bestPath: 0, steps: 0 };
    const split = stepSplit(search, candidatesAround(search, path).edges);
    return {
      bestPath: settled(pathPlan(market, order, path.edges)),
      steps: split === null ? 0 : settled(simulate(market, order, split)),
    };
  };
}
