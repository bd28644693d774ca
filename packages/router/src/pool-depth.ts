import type { PoolShape } from './routable-pool.ts';

/** The most that a token account can hold. */
const MAX_U64 = 18_446_744_073_709_551_615n;

/**
 * About how many units of each token the pool can pay out, in the pool's own order, rounded down, at most a u64 each. Of
 * a concentrated pool only the ticks that were read count. For ranking pools of one pair, never for an amount.
 */
export function poolDepth(shape: PoolShape): readonly [bigint, bigint] {
  switch (shape.kind) {
    case 'constant-product':
      return [capped(shape.reserves[0]), capped(shape.reserves[1])];
    case 'launch-curve':
      return [capped(shape.realReserves[0]), capped(shape.realReserves[1])];
    case 'bins': {
      const sum = (side: 0 | 1) => shape.bins.reduce((total, { reserves }) => total + reserves[side], 0n);
      return [capped(sum(0)), capped(sum(1))];
    }
    case 'concentrated':
      return concentrated(shape);
  }
}

/** Selling B walks the ticks upwards and pays out A; selling A walks them downwards and pays out B. */
function concentrated({
  sqrtPrice,
  liquidity,
  ticks,
}: Extract<PoolShape, { kind: 'concentrated' }>): readonly [bigint, bigint] {
  let unitsA = 0;
  let [active, price] = [Number(liquidity), sqrtPrice];
  for (const tick of ticks.filter((one) => one.sqrtPrice > sqrtPrice)) {
    unitsA += active * (1 / price - 1 / tick.sqrtPrice);
    active += Number(tick.liquidityNet);
    price = tick.sqrtPrice;
  }
  let unitsB = 0;
  [active, price] = [Number(liquidity), sqrtPrice];
  for (const tick of ticks.filter((one) => one.sqrtPrice <= sqrtPrice).toReversed()) {
    unitsB += active * (price - tick.sqrtPrice);
    active -= Number(tick.liquidityNet);
    price = tick.sqrtPrice;
  }
  return [fromDouble(unitsA), fromDouble(unitsB)];
}

function fromDouble(units: number): bigint {
  // Rounding of doubles can leave a hair below nothing; a shape of nonsense counts as nothing.
  return Number.isFinite(units) && units > 0 ? capped(BigInt(Math.floor(units))) : 0n;
}

function capped(units: bigint): bigint {
  return units < 0n ? 0n : units > MAX_U64 ? MAX_U64 : units;
}
