import type { Address } from '../address/address.ts';
import { divCeil, minBigint } from '../amounts/rounding.ts';
import type { Pool } from '../ports/venue.ts';

/**
 * How much worse the average rate of a swap is than the rate at zero size, in bps from 0 to 10,000, rounded up. Both rates
 * carry the pool's and the mints' proportional fees, so these cancel and what remains is the size's own doing. Spot output
 * is rounded down first: a fraction of the smallest unit, which nobody could have received, is no impact.
 */
export function priceImpactBps(pool: Pool, mintIn: Address, amountIn: bigint, amountOut: bigint): number {
  const spot = pool.spot(mintIn);
  if (spot.denominator <= 0n) return 10_000;
  const atSpot = (amountIn * spot.numerator) / spot.denominator;
  // A capped transfer fee weighs less on a large amount than on a small one: better than spot counts as none.
  if (atSpot <= amountOut) return 0;
  return Number(minBigint(10_000n, divCeil((atSpot - amountOut) * 10_000n, atSpot)));
}
