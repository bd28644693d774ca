import { describe, expect, it } from 'vitest';
import { createBaselines } from '../bench/baselines.ts';
import { createBounder } from '../bench/bound.ts';
import { BY_PRICES, hopBound } from '../bench/branch.ts';
import { parseSnapshot } from '../bench/snapshot.ts';
import { routablePool } from '../bench/snapshot-pool.ts';
import { bestPath } from '../src/best-path.ts';
import { settle } from '../src/integers.ts';
import { REFERENCE_LIMITS } from '../src/limits.ts';
import type { Market } from '../src/market.ts';
import { pathPlan, reachOf } from '../src/plan.ts';
import { createRouter, type RouteRequest } from '../src/router.ts';
import {
  buildMarket,
  buildPool,
  fromSnapshot,
  innerOrder,
  MAX_POOLS,
  replay,
  requestOf,
  type TestMarket,
} from './build-market.ts';

/** The exact integer output of the best single path. */
function settledBestPath(
  market: Market,
  order: { tokenIn: string; tokenOut: string; amountIn: string },
): bigint {
  const inner = innerOrder(market, order);
  const size = market.tokenIds.length;
  const reach = reachOf(market, inner, new Float64Array(size), new Float64Array(size));
  const path = bestPath(market, inner, reach);
  if (path === null) return 0n;
  return settle(market, inner, pathPlan(market, inner, path.edges), BigInt(order.amountIn))?.out ?? 0n;
}

const markets: readonly { readonly name: string; readonly make: () => TestMarket }[] = [
  { name: '100 pools', make: () => buildMarket({ seed: 4, pools: 100, orders: 60 }) },
  { name: '1,000 pools', make: () => buildMarket({ seed: 5, pools: 1000, orders: 40 }) },
];

describe.each(markets)('the router over $name', ({ make }) => {
  const test = make();
  const { snapshot, market, router } = test;

  it('returns valid routes whose claimed output is the exact simulation, to the unit', () => {
    for (const order of snapshot.orders) {
      const route = router.route(requestOf(order));
      if (route === null) throw new Error(`no route for ${order.id}`);
      expect(replay(snapshot, order, route, MAX_POOLS)).toBe(route.out);
    }
  });

  it('never exceeds the certified bounds and never falls below the best path or 5 % steps', () => {
    const bounds = createBounder(market);
    const baselines = createBaselines(market);
    let close = 0;
    for (const order of snapshot.orders) {
      const out = Number(router.route(requestOf(order))?.out ?? 0n);
      const inner = innerOrder(market, order);
      const bound = bounds(inner, out);
      const { bestPath, steps } = baselines(inner, BigInt(order.amountIn));
      if (bound === null) throw new Error(`no bound for ${order.id}`);
      expect(out).toBeLessThanOrEqual(bound.capped);
      expect(bound.capped).toBeLessThanOrEqual(bound.any);
      expect(out).toBeLessThanOrEqual(hopBound(market, inner, out, BY_PRICES) ?? 0);
      // 0.1 bps is the goal.
      expect(out).toBeGreaterThanOrEqual(Math.max(bestPath, steps) * (1 - 1e-5));
      if (out > bound.capped * (1 - 5e-6)) close++;
    }
    // The median within 0.05 bps of the possible optimum.
    expect(close).toBeGreaterThan(snapshot.orders.length / 2);
  });

  it('gives the same routes again, whatever was asked before', () => {
    const fresh = createRouter(snapshot.pools.map(routablePool));
    const some = snapshot.orders.slice(0, 20);
    const forwards = some.map((order) => router.route(requestOf(order)));
    const backwards = [...some].reverse().map((order) => fresh.route(requestOf(order)));
    expect(backwards.reverse()).toEqual(forwards);
  });
});

describe('the router over stale pools', () => {
  it('breaks cycles of free arbitrage and never falls below the best path', () => {
    const { snapshot, market, router } = buildMarket({ seed: 7, pools: 1000, orders: 40, staleShare: 0.05 });
    for (const order of snapshot.orders) {
      const route = router.route(requestOf(order));
      if (route === null) throw new Error(`no route for ${order.id}`);
      expect(replay(snapshot, order, route, MAX_POOLS)).toBe(route.out);
      expect(route.out).toBeGreaterThanOrEqual(settledBestPath(market, order));
    }
  });

  it('finds what lies behind more free arbitrage than a small set of candidates holds', () => {
    const { snapshot, router } = buildMarket({ seed: 3, pools: 2000, orders: 40, staleShare: 0.03 });
    const reference = createRouter(snapshot.pools.map(routablePool), [], REFERENCE_LIMITS);
    for (const order of snapshot.orders) {
      const best = Number(reference.route(requestOf(order))?.out ?? 0n);
      expect(Number(router.route(requestOf(order))?.out ?? 0n)).toBeGreaterThanOrEqual(best * (1 - 30e-4));
    }
  });

  it('routes through a market that is one free cycle', () => {
    const stale = fromSnapshot({
      version: 1,
      tokens: ['A', 'B', 'C', 'D'].map((id) => ({ id })),
      pools: [
        buildPool('ab', ['A', 'B'], [10n ** 12n, 10n ** 12n]),
        buildPool('bc', ['B', 'C'], [10n ** 12n, 12n * 10n ** 11n]),
        buildPool('cd', ['C', 'D'], [10n ** 12n, 12n * 10n ** 11n]),
        buildPool('db', ['D', 'B'], [10n ** 12n, 12n * 10n ** 11n]),
        buildPool('bd', ['B', 'D'], [10n ** 12n, 10n ** 12n]),
      ],
      orders: [],
    });
    const order = { tokenIn: 'A', tokenOut: 'D', amountIn: '1000000000' };
    const route = stale.router.route(requestOf(order));
    expect(route && replay(stale.snapshot, order, route, MAX_POOLS)).toBe(route?.out);
    expect(route?.out).toBeGreaterThan(1_400_000_000n);
  });
});

describe('the router', () => {
  const two = [
    buildPool('p1', ['A', 'B'], [10n ** 12n, 10n ** 12n]),
    buildPool('p2', ['A', 'B'], [10n ** 12n, 10n ** 12n]),
  ].map(routablePool);
  const request: RouteRequest = {
    tokenIn: 'A',
    tokenOut: 'B',
    amountIn: 10n ** 11n,
    maxPools: 5,
    maxHops: 3,
  };

  it('splits evenly over equal pools', () => {
    const route = createRouter(two).route(request);
    expect(route?.legs).toHaveLength(2);
    expect(Number(route?.legs[0]?.amountIn) / 5e10).toBeCloseTo(1, 5);
  });

  it('uses one pool when a second leg costs more than it brings', () => {
    const route = createRouter(two).route({ ...request, legCost: 10n ** 10n });
    expect(route?.legs).toHaveLength(1);
  });

  it('keeps to the pool cap and to the hop cap', () => {
    expect(createRouter(two).route({ ...request, maxPools: 1 })?.legs).toHaveLength(1);
    const chain = [
      buildPool('ab', ['A', 'B'], [10n ** 12n, 10n ** 12n]),
      buildPool('bc', ['B', 'C'], [10n ** 12n, 10n ** 12n]),
    ].map(routablePool);
    expect(createRouter(chain).route({ ...request, tokenOut: 'C', maxHops: 1 })).toBeNull();
    expect(createRouter(chain).route({ ...request, tokenOut: 'C', maxHops: 2 })?.legs).toHaveLength(2);
  });

  it('returns only routes that fit, and none when nothing fits', () => {
    const seen: number[] = [];
    const route = createRouter(two).route({
      ...request,
      fits: (legs) => {
        seen.push(legs.length);
        return legs.length <= 1;
      },
    });
    expect(route?.legs).toHaveLength(1);
    expect(seen).toContain(2);
    expect(createRouter(two).route({ ...request, fits: () => false })).toBeNull();
  });

  it('sees a changed pool, a new pool and a removed one in the next route', () => {
    const router = createRouter(two);
    const before = router.route(request)?.out ?? 0n;
    router.update(routablePool(buildPool('p1', ['A', 'B'], [10n ** 12n, 2n * 10n ** 12n])));
    const richer = router.route(request)?.out ?? 0n;
    expect(richer).toBeGreaterThan(before);
    router.update(routablePool(buildPool('p3', ['A', 'B'], [10n ** 12n, 3n * 10n ** 12n])));
    expect(router.route(request)?.legs.map(({ pool }) => pool)).toContain('p3');
    expect(router.remove('p3')).toBe(true);
    expect(router.remove('p3')).toBe(false);
    expect(router.route(request)?.out).toBe(richer);
  });

  it('spends only what the pools can use', () => {
    const bins = parseSnapshot({
      version: 1,
      tokens: [{ id: 'A' }, { id: 'B' }],
      pools: [
        {
          id: 'd',
          type: 'dlmm',
          tokens: ['A', 'B'],
          feePpm: 0,
          binStep: 10,
          activeId: 0,
          bins: [{ id: 0, x: '0', y: '1000' }],
        },
      ],
      orders: [],
    });
    const route = createRouter(bins.pools.map(routablePool)).route({ ...request, amountIn: 5000n });
    expect(route).toEqual({
      legs: [{ pool: 'd', tokenIn: 'A', tokenOut: 'B', amountIn: 1000n, amountOut: 1000n }],
      out: 1000n,
    });
  });

  it('knows no route to a token it does not know, and refuses senseless requests with what it expected', () => {
    const router = createRouter(two);
    expect(router.route({ ...request, tokenOut: 'Z' })).toBeNull();
    expect(() => router.route({ ...request, amountIn: 0n })).toThrow('amountIn must be above 0, got 0');
    expect(() => router.route({ ...request, tokenOut: 'A' })).toThrow('must differ');
    expect(() => router.route({ ...request, maxPools: 0 })).toThrow('maxPools must be an integer 1 to 16');
    expect(() => router.route({ ...request, maxHops: 5 })).toThrow('maxHops must be an integer 1 to 4');
  });
});
