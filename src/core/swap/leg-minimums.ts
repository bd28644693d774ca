import { mulDivCeil } from '../amounts/rounding.ts';
import type { Route } from './route.ts';

/**
 * The least each leg must bring so that together they bring at least `minOut`: its share of the quote, rounded up. Never
 * above the leg's own quote. Stricter than one check of the total, because the legs are separate instructions.
 */
export function legMinimums(route: Route, minOut: bigint): readonly bigint[] {
  if (minOut > route.amountOut) throw new RangeError(`${minOut} is above the quoted ${route.amountOut}`);
  return route.legs.map((leg) =>
    route.amountOut === 0n ? 0n : mulDivCeil(leg.amountOut, minOut, route.amountOut),
  );
}
