import { mulDivCeil, mulDivFloor } from '@tradepost/solana';
import type { Route } from './route.ts';

/**
 * The minimum of each leg. Legs into the output: together at least `minOut`, each its share of the quote, rounded up, never above its own
 * quote. This is stricter than one check of the total, because the legs are separate instructions. Legs into an intermediate token: the
 * amount that the later legs spend. In a route `byProgram` the total alone is checked, so there the parts sum to exactly `minOut`.
 */
export function legMinimums(route: Route, minOut: bigint): readonly bigint[] {
  if (minOut > route.amountOut) throw new RangeError(`${minOut} is above the quoted ${route.amountOut}`);
  if (route.byProgram === true) {
    const last = route.legs.findLastIndex(({ leastOut }) => leastOut === null);
    const parts = route.legs.map(({ amountOut, leastOut }) =>
      leastOut === null ? mulDivFloor(amountOut, minOut, route.amountOut) : null,
    );
    const rest = parts.reduce<bigint>((left, part, at) => (at === last ? left : left - (part ?? 0n)), minOut);
    return route.legs.map(
      ({ leastOut }, index) => leastOut ?? (index === last ? rest : (parts[index] ?? 0n)),
    );
  }
  return route.legs.map(
    ({ amountOut, leastOut }) =>
      leastOut ?? (route.amountOut === 0n ? 0n : mulDivCeil(amountOut, minOut, route.amountOut)),
  );
}
