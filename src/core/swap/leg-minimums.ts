import { mulDivCeil } from '../amounts/rounding.ts';
import type { Route } from './route.ts';

/**
 * The least each leg must bring. Legs into the output: together at least `minOut`, each its share of the quote, rounded up,
 * never above its own quote; stricter than one check of the total, because the legs are separate instructions. Legs into a
 * token in the middle: what the later legs spend.
 */
export function legMinimums(route: Route, minOut: bigint): readonly bigint[] {
  if (minOut > route.amountOut) throw new RangeError(`${minOut} is above the quoted ${route.amountOut}`);
  return route.legs.map(
    ({ amountOut, leastOut }) =>
      leastOut ?? (route.amountOut === 0n ? 0n : mulDivCeil(amountOut, minOut, route.amountOut)),
  );
}
