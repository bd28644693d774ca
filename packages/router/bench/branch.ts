import { createMarketIndex, type Market } from '../src/market.ts';
import type { Order } from '../src/order.ts';
import type { RoutablePool } from '../src/routable-pool.ts';
import { createBounder, type Proof, proveHops } from './bound.ts';

/** The allowed effort for the bound of one order. */
export type Effort = {
  /** Parts of a known route by which a bound may exceed it and is left as it is; and to which others are brought down if they can be. */
  readonly worth: number;
  readonly close: number;
  /** Branches at most. Each takes up to a second in a large market. */
  readonly branches: number;
};

export const THOROUGH: Effort = { worth: 1e-4, close: 2e-5, branches: 100 };
/** The effort of prices alone. */
export const BY_PRICES: Effort = { ...THOROUGH, branches: 0 };

/** Added to every pool's doubt, so that branching goes on where the prices leave none. */
const LEAST_DOUBT = 1e-6;

/** Routes over these pools that use all of the taken ones, and their bound. */
type Branch = {
  readonly pools: readonly RoutablePool[];
  readonly taken: readonly RoutablePool[];
  readonly bound: number;
  /** The pool whose part in the bound is least clear; null when all that are left may be in. */
  readonly undecided: RoutablePool | null;
  /** Bounded over these pools alone, and nothing is left to decide. */
  readonly isLeaf: boolean;
};

/**
 * An upper bound of the output of every route of at most `order.maxPools` pools and `order.maxHops` hops, by branch and bound: prices alone
 * let a route use half of ten pools. So a pool that is half in is taken for good in one branch and left out in the other. Both are bounded
 * anew, and branches that cannot beat `reached`, the output of a known route, are closed. After `branches` of them the best of those still
 * open counts. Never below the best route, at any `reached` and effort. Null when no path exists.
 */
export function hopBound(market: Market, order: Order, reached: number, effort = THOROUGH): number | null {
  const root = proveHops(market, order, reached);
  if (root === null) return null;
  if (root.capped < reached * (1 + effort.worth)) return root.capped;
  const goal = reached * (1 + effort.close);
  const first = branchOf(market, order, [], root, Number.POSITIVE_INFINITY, goal);
  const open = first === null ? [] : [first];
  for (let done = 0; done < effort.branches && reached > 0; done++) {
    open.sort((a, b) => a.bound - b.bound);
    const widest = open.pop();
    if (widest === undefined) break;
    const { undecided, bound } = widest;
    if (undecided === null) {
      // Nothing lower can be shown of the widest, so of all.
      if (widest.isLeaf) {
        open.push(widest);
        break;
      }
      const leaf = leafOf(market, order, widest, reached);
      if (leaf >= goal) open.push({ ...widest, isLeaf: true, bound: leaf });
      continue;
    }
    const without = widest.pools.filter((pool) => pool !== undecided);
    const halves = [
      { ...widest, taken: [...widest.taken, undecided] },
      { ...widest, pools: without },
    ];
    for (const { pools, taken } of halves) {
      // With as many taken as there may be, the others only lead the search for prices astray.
      const half = createMarketIndex(taken.length < order.maxPools ? pools : taken, []).market();
      const there = translated(market, half, order);
      const indices = new Set(taken.map((pool) => half.pools.findIndex(({ id }) => id === pool.id)));
      const proof =
        there === null || taken.length > order.maxPools ? null : proveHops(half, there, reached, indices);
      const branch =
        proof === null || there === null ? null : branchOf(half, there, taken, proof, bound, goal);
      if (branch !== null) open.push(branch);
    }
  }
  return Math.min(root.capped, Math.max(goal, ...open.map(({ bound }) => bound)));
}

/**
 * The bound of routes over no more pools than there may be: without a choice among them, prices leave no gap. Those that differ by hop
 * leave one where a pool may serve on several, those that do not where the pools allow longer routes; seldom both do.
 */
function leafOf(market: Market, order: Order, { pools, bound }: Branch, reached: number): number {
  const half = createMarketIndex(pools, []).market();
  const there = translated(market, half, order);
  if (there === null) return 0;
  const all = new Set(half.pools.map((_, index) => index));
  const byHop = proveHops(half, there, reached, all)?.capped ?? 0;
  return Math.min(bound, byHop, createBounder(half)(there, reached)?.any ?? 0);
}

/** Null when nothing in it can be worth the goal. Pools that no such route can use are left out. */
function branchOf(
  market: Market,
  order: Order,
  taken: readonly RoutablePool[],
  proof: Proof,
  parent: number,
  goal: number,
): Branch | null {
  const bound = Math.min(parent, proof.capped);
  if (bound < goal) return null;
  const isTaken = (pool: RoutablePool): boolean => taken.some(({ id }) => id === pool.id);
  const free = market.pools
    .map((pool, index) => ({
      pool,
      surplus: proof.surpluses.get(index) ?? 0,
      part: proof.parts.get(index) ?? 0,
    }))
    .filter(({ pool }) => !isTaken(pool))
    .sort((a, b) => b.surplus - a.surplus);
  const places = order.maxPools - taken.length;
  // The last pool of a route joins tokens that its others or the order have, the last two one of those at least.
  const near = new Set([order.tokenIn, order.tokenOut].map((token) => market.tokenIds[token]));
  for (const { tokens } of taken) for (const token of tokens) near.add(token);
  const isNear = ({ tokens }: RoutablePool): boolean =>
    tokens.filter((token) => near.has(token)).length + places > 2;
  // One of these would take the place of the last that counts.
  const last = free[places - 1]?.surplus ?? 0;
  const useful =
    places === 0
      ? []
      : free.filter(
          ({ pool, surplus }) => isNear(pool) && proof.capped - last + Math.min(surplus, last) >= goal,
        );
  /**
   * Half in, and worth much: each branch then loses most of its share of the relaxed bound. Where no pool is half in, the one worth most.
   */
  const unclear = ({ part, surplus }: (typeof free)[number]): number =>
    (Math.min(part, 1 - part) + LEAST_DOUBT) * surplus;
  const undecided =
    useful.length <= places
      ? null
      : useful.reduce((known, one) => (unclear(one) > unclear(known) ? one : known));
  return {
    pools: [...taken, ...useful.map(({ pool }) => pool)],
    taken,
    bound,
    undecided: undecided?.pool ?? null,
    isLeaf: false,
  };
}

function translated(market: Market, half: Market, order: Order): Order | null {
  const tokenIn = half.tokenIndex.get(market.tokenIds[order.tokenIn] ?? '');
  const tokenOut = half.tokenIndex.get(market.tokenIds[order.tokenOut] ?? '');
  return tokenIn === undefined || tokenOut === undefined ? null : { ...order, tokenIn, tokenOut };
}
