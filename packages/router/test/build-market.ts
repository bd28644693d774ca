import { generateMarket, type MarketRecipe } from '../bench/generate.ts';
import { createSimulator } from '../bench/simulators.ts';
import type { Snapshot, SnapshotOrder, SnapshotPool } from '../bench/snapshot.ts';
import { routablePool } from '../bench/snapshot-pool.ts';
import type { Route } from '../src/integers.ts';
import { createMarketIndex, type Market } from '../src/market.ts';
import type { Order } from '../src/order.ts';
import { createRouter, type RouteRequest, type Router } from '../src/router.ts';

export const MAX_POOLS = 5;

export type TestMarket = { readonly snapshot: Snapshot; readonly market: Market; readonly router: Router };

/** A generated market with everything tests ask of it. */
export function buildMarket(recipe: MarketRecipe): TestMarket {
  const snapshot = generateMarket(recipe);
  return fromSnapshot(snapshot);
}

export function fromSnapshot(snapshot: Snapshot): TestMarket {
  const pools = snapshot.pools.map(routablePool);
  return { snapshot, market: createMarketIndex(pools, []).market(), router: createRouter(pools) };
}

/** A constant-product pool, by default with a fee of 0.3 %. */
export function buildPool(
  id: string,
  tokens: readonly [string, string],
  reserves: readonly [bigint, bigint],
  feePpm = 3_000,
): SnapshotPool {
  return {
    id,
    type: 'cp',
    tokens: [tokens[0], tokens[1]],
    feePpm,
    reserves: [reserves[0].toString(), reserves[1].toString()],
  };
}

/** The order as the router's inner parts take it. */
export function innerOrder(
  market: Market,
  { tokenIn, tokenOut, amountIn }: { tokenIn: string; tokenOut: string; amountIn: string },
  maxPools = 5,
): Order {
  return {
    tokenIn: market.tokenIndex.get(tokenIn) ?? -1,
    tokenOut: market.tokenIndex.get(tokenOut) ?? -1,
    amount: Number(amountIn),
    maxPools,
    maxHops: 3,
    legCost: 0,
    intermediateCost: 0,
  };
}

/**
 * Replays a route with balances and the exact simulators, independently of the router. Returns the balance of the output
 * token, or the sentence that says which rule the route breaks.
 */
export function replay(
  snapshot: Snapshot,
  order: { tokenIn: string; tokenOut: string; amountIn: string },
  route: Route,
  maxPools: number,
): bigint | string {
  const pools = new Map(snapshot.pools.map((pool) => [pool.id, pool]));
  const balances = new Map<string, bigint>([[order.tokenIn, BigInt(order.amountIn)]]);
  const used = new Set<string>();
  if (route.legs.length > maxPools) return `uses ${route.legs.length} pools`;
  for (const leg of route.legs) {
    const pool = pools.get(leg.pool);
    if (pool === undefined) return `unknown pool ${leg.pool}`;
    if (used.has(leg.pool)) return `uses pool ${leg.pool} twice`;
    used.add(leg.pool);
    const direction = pool.tokens[0] === leg.tokenIn ? 0 : 1;
    if (pool.tokens[direction] !== leg.tokenIn || pool.tokens[1 - direction] !== leg.tokenOut) {
      return `pool ${leg.pool} does not trade ${leg.tokenIn} for ${leg.tokenOut}`;
    }
    if (leg.amountIn <= 0n) return `leg ${leg.pool} spends ${leg.amountIn}`;
    const held = balances.get(leg.tokenIn) ?? 0n;
    if (leg.amountIn > held) return `leg ${leg.pool} spends ${leg.amountIn} of ${held}`;
    balances.set(leg.tokenIn, held - leg.amountIn);
    const out = createSimulator(pool)(direction, leg.amountIn);
    if (out !== leg.amountOut) return `leg ${leg.pool} claims ${leg.amountOut}, the pool gives ${out}`;
    balances.set(leg.tokenOut, (balances.get(leg.tokenOut) ?? 0n) + out);
  }
  return balances.get(order.tokenOut) ?? 0n;
}

/** The tests' request to the router: at most five pools and three hops. */
export function requestOf(order: { tokenIn: string; tokenOut: string; amountIn: string }): RouteRequest {
  return {
    tokenIn: order.tokenIn,
    tokenOut: order.tokenOut,
    amountIn: BigInt(order.amountIn),
    maxPools: MAX_POOLS,
    maxHops: 3,
  };
}

export function orderOf(snapshot: Snapshot, id: string): SnapshotOrder {
  const order = snapshot.orders.find((one) => one.id === id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}
