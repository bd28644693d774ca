import { performance } from 'node:perf_hooks';
import { createRouter } from '../src/router.ts';
import type { Snapshot } from './snapshot.ts';
import { routablePool } from './snapshot-pool.ts';

export type RoutesFile = Record<
  string,
  {
    readonly legs: readonly {
      readonly pool: string;
      readonly tokenIn: string;
      readonly tokenOut: string;
      readonly amountIn: string;
    }[];
    readonly out: string;
  }
>;

export type Timing = {
  readonly pools: number;
  readonly orders: number;
  readonly maxPools: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** The same in CPU time of this process, which neighbours on the machine do not lengthen. */
  readonly cpuP50Ms: number;
  readonly cpuP90Ms: number;
  readonly cpuP99Ms: number;
};

/** Quotes before the clock starts: by then the compiler has seen the search's rarer branches too. */
const WARM_UP = 2_400;

/**
 * Routes every order with the production router. Timed per order from request to finished integer route, after
 * `WARM_UP` quotes of the same orders; parsing and building curves are not counted.
 */
export function runOrders(
  snapshot: Snapshot,
  { maxPools, maxHops }: { readonly maxPools: number; readonly maxHops: number },
): {
  routes: RoutesFile;
  timing: Timing;
  /** By the clock, each order in the timed pass. */
  ms: readonly number[];
  /** CPU time of each order in the timed pass, and the least of that and two more. */
  cpuMs: { readonly once: readonly number[]; readonly least: readonly number[] };
} {
  const router = createRouter(
    snapshot.pools.map(routablePool),
    snapshot.tokens.map(({ id }) => id),
  );
  const requests = snapshot.orders.map(({ tokenIn, tokenOut, amountIn }) => ({
    tokenIn,
    tokenOut,
    amountIn: BigInt(amountIn),
    maxPools,
    maxHops,
  }));
  for (let done = 0; done < WARM_UP && requests.length > 0; done += requests.length) {
    for (const request of requests) router.route(request);
  }

  const routes: RoutesFile = {};
  const times: number[] = [];
  const cpuTimes: number[] = [];
  requests.forEach((request, index) => {
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    const route = router.route(request);
    times.push(performance.now() - start);
    cpuTimes.push(millisecondsSince(cpuBefore));
    if (route === null) return;
    routes[snapshot.orders[index]?.id ?? ''] = {
      legs: route.legs.map(({ pool, tokenIn, tokenOut, amountIn }) => ({
        pool,
        tokenIn,
        tokenOut,
        amountIn: amountIn.toString(),
      })),
      out: route.out.toString(),
    };
  });
  const least = [...cpuTimes];
  for (let pass = 0; pass < 2; pass++) {
    requests.forEach((request, index) => {
      const cpuBefore = process.cpuUsage();
      router.route(request);
      least[index] = Math.min(least[index] ?? 0, millisecondsSince(cpuBefore));
    });
  }
  const timing = {
    pools: snapshot.pools.length,
    orders: snapshot.orders.length,
    maxPools,
    p50Ms: rounded(percentile(times, 0.5)),
    p90Ms: rounded(percentile(times, 0.9)),
    p99Ms: rounded(percentile(times, 0.99)),
    cpuP50Ms: rounded(percentile(cpuTimes, 0.5)),
    cpuP90Ms: rounded(percentile(cpuTimes, 0.9)),
    cpuP99Ms: rounded(percentile(cpuTimes, 0.99)),
  };
  return { routes, timing, ms: times, cpuMs: { once: cpuTimes, least } };
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Nearest-rank percentile; 0 of nothing. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
