import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { Route, RouteLeg } from './route.ts';

/** Pools of one pair that people trade at differ by less; more is an error, or a lure. */
const FAIR_PERCENT = 10n;
/** Prices are compared by this part of an amount, so that a shallow pool beside a deep one makes no lure of it. */
const PART = 100n;

/**
 * The legs over a pool whose price is more than a tenth better than that of the next best pool of its two tokens. A pool that is alone
 * between its tokens is compared by the whole way: `outOf` gives the best output of so many units without a pool, null for none. Where
 * nothing else leads there, there is no such leg.
 */
export function tooGoodLegs(
  { legs, amountIn }: Pick<Route, 'legs' | 'amountIn'>,
  pools: readonly Pool[],
  outOf: (amountIn: bigint, without: Address | null) => bigint | null,
): readonly RouteLeg[] {
  return legs.filter(({ pool, mintIn, mintOut, amountIn: through }) => {
    const others = pools.filter(
      ({ id, mints }) => id !== pool.id && mints.includes(mintIn) && mints.includes(mintOut),
    );
    if (others.length === 0) {
      const part = partOf(amountIn);
      return legs.length > 1 && isTooGood(outOf(part, null) ?? 0n, outOf(part, pool.id) ?? 0n);
    }
    const part = partOf(through);
    const next = others.reduce((most, other) => {
      const out = other.quote(mintIn, part);
      return out > most ? out : most;
    }, 0n);
    return isTooGood(pool.quote(mintIn, part), next);
  });
}

const partOf = (amount: bigint): bigint => (amount >= PART ? amount / PART : amount);

/** Beside a next one that gives nothing there is no comparison. */
function isTooGood(best: bigint, next: bigint): boolean {
  return next > 0n && best * 100n > next * (100n + FAIR_PERCENT);
}
