import { type Curve, marginalAt } from './curve.ts';
import type { DualFlow, DualSolution } from './dual-problem.ts';
import { routableFlows } from './flows.ts';
import type { Hops } from './hops.ts';
import type { Limits } from './limits.ts';
import type { Market } from './market.ts';
import type { DualSolver } from './newton.ts';
import type { Order } from './order.ts';
import { type Plan, type Reach, simulate } from './plan.ts';
import type { SolutionMemo } from './solution-memo.ts';

/** Sets this much larger than the pool cap are bounded by their best pools while they are solved. */
const FEW_MORE = 6;

/** The working data of every step of one order's search. */
export type Search = {
  readonly market: Market;
  readonly order: Order;
  readonly reach: Reach;
  readonly solver: DualSolver;
  readonly limits: Limits;
  /** How far tokens are from the ends of the order. */
  readonly hops: Hops;
  /** Latest known price of each token in output units, 0 = none: where the next solve starts. */
  readonly prices: Float64Array;
  /** Work space of column generation, by token; zero between uses. */
  readonly cheapest: Float64Array;
  readonly dearest: Float64Array;
  /** True when the plan can be executed as one transaction. Asked only of plans within the caps. */
  readonly fits: (plan: Plan) => boolean;
  /** Sets that were realised before, and the routes made of their solutions. */
  readonly solutions: SolutionMemo;
  readonly routes: Map<DualSolution, Solved | null>;
};

/** A set of edges solved and turned into a route. */
export type Solved = {
  readonly plan: Plan;
  /** The flows the plan was made from: its pools with their surpluses. */
  readonly flows: readonly DualFlow[];
  readonly solution: DualSolution;
};

/**
 * Optimal prices and flows over `edges`, without making a route of them. Remembers the prices for the next solve. Given up,
 * with no flows, once it is certain that the optimum is below `least`.
 */
export function solveDual(
  search: Search,
  edges: readonly number[],
  tolerance: number,
  least = 0,
  curves = search.market.smooth,
  memo?: SolutionMemo,
): DualSolution {
  const { market, order, prices } = search;
  const solution = search.solver.solve({
    edges,
    from: market.from,
    to: market.to,
    curves,
    tokenIn: order.tokenIn,
    tokenOut: order.tokenOut,
    amount: order.amount,
    start: prices,
    tolerance,
    least,
    mostEdges: edges.length <= order.maxPools + FEW_MORE ? order.maxPools : edges.length,
    ...(memo === undefined ? {} : { memo }),
  });
  solution.tokens.forEach((token, index) => {
    prices[token] = solution.prices[index] ?? 0;
  });
  return solution;
}

/** The best route through `edges`, of any size. Null when nothing comes out, or surely less than `least`. */
export function realise(search: Search, edges: readonly number[], least = 0): Solved | null {
  const { limits, market, routes, solutions } = search;
  const solution = solveDual(search, edges, limits.tolerance, least, market.smooth, solutions);
  if (solution.flows.length === 0) return null;
  const known = routes.get(solution);
  if (known !== undefined) return known;
  const solved = routeOf(search, solution);
  routes.set(solution, solved);
  return solved;
}

/** The route that a dual solution describes, simulated on the exact curves. Null when nothing comes out. */
export function routeOf(search: Search, solution: DualSolution): Solved | null {
  const { market, order } = search;
  const flows = routableFlows(market, order, solution.flows);
  if (flows.length === 0) return null;
  const plan = simulate(
    market,
    order,
    flows.map((flow) => ({ edge: flow.edge, weight: flow.amountIn })),
  );
  return plan.out > 0 ? { plan, flows, solution } : null;
}

/** Sets the prices along a path to its marginal rates at full size: a start close to the optimum of sets around it. */
export function startFromPath(search: Search, path: readonly number[], amounts: readonly number[]): void {
  const { market, order, prices } = search;
  let price = 1;
  prices[order.tokenOut] = 1;
  for (let index = path.length - 1; index >= 0; index--) {
    const edge = path[index] ?? 0;
    price *= marginalAt(market.exact[edge] as Curve, amounts[index] ?? 0);
    prices[market.from[edge] ?? 0] = price;
  }
}
