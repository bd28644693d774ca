import { type Ranges, sellThroughRanges } from './concentrated.ts';
import type { PoolParts } from './exchange-pool.ts';
import { fromQ64 } from './sqrt-price.ts';

/**
 * The common parts of every concentrated pool with a Q64.64 square-root price: the router's shape, the exact output and the price at zero
 * size. `sides` are the ranges in which mint 0, then mint 1, is sold; they are good as far as ticks were read.
 */
export function concentratedParts(state: {
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
  readonly sides: readonly [{ readonly ranges: Ranges }, { readonly ranges: Ranges }];
}): Pick<PoolParts, 'shape' | 'leaving' | 'price'> {
  const { sqrtPrice, liquidity, sides } = state;
  const [down, up] = sides;
  const square = sqrtPrice * sqrtPrice;
  return {
    shape: {
      kind: 'concentrated',
      sqrtPrice: fromQ64(sqrtPrice),
      liquidity,
      ticks: [...down.ranges.stops.toReversed(), ...up.ranges.stops].map((stop) => ({
        sqrtPrice: fromQ64(stop.sqrtPrice),
        liquidityNet: stop.liquidityNet,
      })),
    },
    leaving: (direction, arriving) => sellThroughRanges(sides[direction].ranges, direction, arriving).out,
    price: (direction) =>
      direction === 0
        ? { numerator: square, denominator: 1n << 128n }
        : { numerator: 1n << 128n, denominator: square },
  };
}
