import { feeGains, type PoolShape, type RoutablePool } from '../src/routable-pool.ts';
import { fromQ64 } from './fixed-point.ts';
import { createSimulator } from './simulators.ts';
import type { SnapshotPool } from './snapshot.ts';

/** A snapshot pool as the production router takes it, settled by the benchmark's own simulators. */
export function routablePool(pool: SnapshotPool): RoutablePool {
  const simulate = createSimulator(pool);
  return {
    id: pool.id,
    tokens: pool.tokens,
    shape: shapeOf(pool),
    gains: feeGains(pool.feePpm, pool.feeSide === 'quote' ? 'second-token' : 'input'),
    quote: (tokenIn, amountIn) => simulate(tokenIn === pool.tokens[0] ? 0 : 1, amountIn),
  };
}

function shapeOf(pool: SnapshotPool): PoolShape {
  switch (pool.type) {
    case 'cp':
      return { kind: 'constant-product', reserves: bigints(pool.reserves) };
    case 'pump':
      return {
        kind: 'launch-curve',
        virtualReserves: bigints(pool.virtualReserves),
        realReserves: bigints(pool.realReserves),
      };
    case 'clmm':
      return {
        kind: 'concentrated',
        sqrtPrice: fromQ64(BigInt(pool.sqrtPriceX64)),
        liquidity: BigInt(pool.liquidity),
        ticks: pool.ticks.map(({ tick, liquidityNet }) => ({
          sqrtPrice: 1.0001 ** (tick / 2),
          liquidityNet: BigInt(liquidityNet),
        })),
      };
    case 'dlmm': {
      const bins = pool.bins.map(({ id, x, y }) => ({
        price: (1 + pool.binStep / 1e4) ** id,
        reserves: bigints([x, y]),
      }));
      const activeBin = pool.bins.filter(({ id }) => id <= pool.activeId).length - 1;
      return { kind: 'bins', bins, activeBin, activeIsExact: pool.bins[activeBin]?.id === pool.activeId };
    }
  }
}

function bigints([a, b]: readonly [string, string]): readonly [bigint, bigint] {
  return [BigInt(a), BigInt(b)];
}
