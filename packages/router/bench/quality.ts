import { REFERENCE_LIMITS } from '../src/limits.ts';
import { createMarketIndex } from '../src/market.ts';
import { createRouter } from '../src/router.ts';
import { createBaselines } from './baselines.ts';
import { createBounder } from './bound.ts';
import { BY_PRICES, type Effort, hopBound, THOROUGH } from './branch.ts';
import { generateMarket } from './generate.ts';
import { isExact } from './replay.ts';
import { percentile } from './run-orders.ts';
import { routablePool } from './snapshot-pool.ts';

export type QualityRun = {
  readonly seeds: readonly number[];
  readonly poolCounts: readonly number[];
  readonly orders: number;
  readonly maxPools: number;
  readonly maxHops: number;
  readonly staleShare: number;
};

export type Sample = {
  readonly depthFrac: number;
  readonly out: number;
  readonly bound: number;
  readonly anyBound: number;
  /** Of routes within the hops as well as the pools that were asked for. */
  readonly hopBound: number;
  readonly bestPath: number;
  readonly steps: number;
  readonly reference: number;
  /** True when the route is valid and an independent replay gives the claimed output to the unit. */
  readonly exact: boolean;
};

/** In markets of so many pools a branch takes up to a second: gaps are closed that the goals would miss, and no further. */
const LARGE = 10_000;
const ROUGH: Effort = { worth: 4e-4, close: 2e-4, branches: 400 };

const CLASSES = [
  { name: 'all', low: 0, high: 1 },
  { name: '<0.1 %', low: 0, high: 0.001 },
  { name: '0.1-1 %', low: 0.001, high: 0.01 },
  { name: '1-5 %', low: 0.01, high: 1 },
] as const;

/** Prints, per market size, how far routes are from the certified bounds, from simpler routers and from the reference. */
export function printQuality(run: QualityRun): void {
  for (const pools of run.poolCounts) {
    const samples = run.seeds.flatMap((seed) => sampleMarket(run, seed, pools));
    console.log(
      `\n${pools} pools, seeds ${run.seeds.join(' ')}, ${samples.length} orders, at most ${run.maxPools} pools; bps p50 / p90 / p99 / max`,
    );
    for (const { name, low, high } of CLASSES) {
      const some = samples.filter(({ depthFrac }) => depthFrac >= low && depthFrac < high);
      console.log(`${name.padEnd(8)} n ${some.length}`);
      const line = (what: string, bps: (sample: Sample) => number): void => {
        console.log(`  ${what.padEnd(34)} ${summary(some.map(bps))}`);
      };
      line('below capped bound', (s) => below(s.out, s.bound));
      line('below bound with hops', (s) => below(s.out, s.hopBound));
      line('below any-pools bound', (s) => below(s.out, s.anyBound));
      line('below reference', (s) => below(s.out, s.reference));
      line('best path below capped bound', (s) => below(s.bestPath, s.bound));
      line('5 % steps below capped bound', (s) => below(s.steps, s.bound));
      line('gain over best path', (s) => below(s.bestPath, s.out));
      line('below best of path and steps', (s) => below(s.out, Math.max(s.bestPath, s.steps)));
    }
    const above = samples.filter((s) => s.out > s.bound || s.out > s.hopBound).length;
    console.log(
      `routes above the certified bound: ${above}; without a route: ${samples.filter(({ out }) => out === 0).length}`,
    );
  }
}

export function sampleMarket(run: QualityRun, seed: number, pools: number): readonly Sample[] {
  const orders = Math.ceil(run.orders / run.seeds.length);
  const snapshot = generateMarket({ seed, pools, orders, staleShare: run.staleShare });
  const routable = snapshot.pools.map(routablePool);
  const router = createRouter(routable);
  const reference = createRouter(routable, [], REFERENCE_LIMITS);
  const market = createMarketIndex(routable, []).market();
  const bounds = createBounder(market);
  const baselines = createBaselines(market);
  // Among stale pools a bound counts arbitrage that no route runs, and no branch closes.
  const effort = run.staleShare > 0 ? BY_PRICES : pools < LARGE ? THOROUGH : ROUGH;
  return snapshot.orders.flatMap(({ tokenIn, tokenOut, amountIn, depthFrac }) => {
    const request = {
      tokenIn,
      tokenOut,
      amountIn: BigInt(amountIn),
      maxPools: run.maxPools,
      maxHops: run.maxHops,
    };
    const order = {
      tokenIn: market.tokenIndex.get(tokenIn) ?? 0,
      tokenOut: market.tokenIndex.get(tokenOut) ?? 0,
      amount: Number(amountIn),
      maxPools: run.maxPools,
      maxHops: run.maxHops,
      legCost: 0,
      intermediateCost: 0,
    };
    const route = router.route(request);
    const out = Number(route?.out ?? 0n);
    const bound = bounds(order, out);
    if (bound === null) return [];
    const { bestPath, steps } = baselines(order, request.amountIn);
    return [
      {
        depthFrac: depthFrac ?? 0,
        out,
        bound: bound.capped,
        anyBound: bound.any,
        hopBound: Math.min(bound.capped, hopBound(market, order, out, effort) ?? bound.capped),
        bestPath,
        steps,
        reference: Number(reference.route(request)?.out ?? 0n),
        exact: route === null || isExact(snapshot, request, route),
      },
    ];
  });
}

/** How far `value` is below `limit`, in bps of the limit. */
export function below(value: number, limit: number): number {
  return limit > 0 ? ((limit - value) / limit) * 10_000 : 0;
}

function summary(values: readonly number[]): string {
  return [0.5, 0.9, 0.99, 1].map((part) => percentile(values, part).toFixed(3).padStart(10)).join(' ');
}
