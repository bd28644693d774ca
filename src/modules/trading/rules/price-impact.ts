import { type Address, divCeil, minBigint } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { outputOf, remaindersOf, type SettledHop } from './settle-hops.ts';

/**
 * How much worse the average rate of a route is than the rate at zero size along its best legs, in bps from 0 to 10,000, rounded up. Both
 * rates carry the pools' and the mints' proportional fees, so these cancel and the effect of the size alone remains. Spot output is rounded
 * down first: a fraction of the smallest unit, which could not have been received, is no impact. Units that stay in an intermediate token
 * count at the rates onwards: they were not lost to the size.
 */
export function routeImpactBps(
  legs: readonly SettledHop[],
  mintIn: Address,
  mintOut: Address,
  amountIn: bigint,
): number {
  const remainders = remaindersOf(legs).reduce(
    (sum, { mint, units }) => sum + (atRate(units, bestRate(legs, mint, mintOut)) ?? 0n),
    0n,
  );
  return impactBps(atRate(amountIn, bestRate(legs, mintIn, mintOut)), outputOf(legs) + remainders);
}

/** The same for one pool's rate, for a swap by anybody. */
export function priceImpactBps(pool: Pool, mintIn: Address, amountIn: bigint, amountOut: bigint): number {
  return impactBps(atRate(amountIn, pool.spot(mintIn)), amountOut);
}

type Rate = { readonly numerator: bigint; readonly denominator: bigint };

/** Output per unit at zero size along the best of the legs. Legs into a token come before those out of it. */
function bestRate(legs: readonly SettledHop[], from: Address, to: Address): Rate {
  const rates = new Map<Address, Rate>([[from, { numerator: 1n, denominator: 1n }]]);
  for (const { pool, mintIn, mintOut } of legs) {
    const here = rates.get(mintIn);
    const spot = pool.spot(mintIn);
    if (here === undefined || spot.denominator <= 0n) continue;
    const rate = {
      numerator: here.numerator * spot.numerator,
      denominator: here.denominator * spot.denominator,
    };
    const known = rates.get(mintOut);
    if (known === undefined || rate.numerator * known.denominator > known.numerator * rate.denominator) {
      rates.set(mintOut, rate);
    }
  }
  return rates.get(to) ?? { numerator: 0n, denominator: 0n };
}

const atRate = (amount: bigint, { numerator, denominator }: Rate): bigint | null =>
  denominator <= 0n ? null : (amount * numerator) / denominator;

function impactBps(atSpot: bigint | null, amountOut: bigint): number {
  if (atSpot === null) return 10_000;
  // A capped transfer fee weighs less on a large amount than on a small one: better than spot counts as none.
  if (atSpot <= amountOut) return 0;
  return Number(minBigint(10_000n, divCeil((atSpot - amountOut) * 10_000n, atSpot)));
}
