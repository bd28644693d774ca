import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { curveOf, marginalPrice, SLACK } from './curve.ts';
import { compareRates, type Rate } from './rate.ts';

/** A chain of more pools is never routed. */
const MAX_HOPS = 3;
/** Fees and outputs are rounded, each by less than a unit: a way has some of them. */
const ROUNDING_UNITS = 8;

/** The best rate at zero size over every way there is: curves are concave, so no amount does better. Null without a way. */
export function bestSpot(pools: readonly Pool[], from: Address, to: Address): Rate | null {
  return bestOf(pools, from, to, () => true);
}

/**
 * An upper bound of every route's output for an amount. Constant products between the two are counted by their curves: at any one marginal
 * price λ the output is at most λ · amount + Σ max(f(x) − λx). Every other way is counted as if its rate at zero size never fell, which λ
 * is therefore not below. Null without a way.
 */
export function outputAtMost(
  pools: readonly Pool[],
  from: Address,
  to: Address,
  amount: bigint,
): bigint | null {
  const curves = new Map(pools.flatMap((pool) => curveOf(pool, from, to)));
  const others = bestOf(pools, from, to, (pool, isDirect) => !(isDirect && curves.has(pool)));
  if (curves.size === 0 && others === null) return null;
  const floor = others === null ? 0 : Number(others.got) / Number(others.given);
  const price = Math.max(floor, marginalPrice([...curves.values()], Number(amount)));
  let bound = price * Number(amount);
  for (const { most, depth } of curves.values()) {
    const root = Math.sqrt(most) - Math.sqrt(price * depth);
    if (root > 0) bound += root * root;
  }
  return BigInt(Math.ceil(bound * SLACK)) + BigInt(ROUNDING_UNITS);
}

function bestOf(
  pools: readonly Pool[],
  from: Address,
  to: Address,
  counts: (pool: Pool, isDirect: boolean) => boolean,
): Rate | null {
  let best: Rate | null = null;
  const walk = (at: Address, rate: Rate, seen: readonly Address[]): void => {
    if (at === to) {
      if (best === null || compareRates(rate, best) > 0) best = rate;
      return;
    }
    if (seen.length > MAX_HOPS) return;
    for (const pool of pools) {
      if (!pool.mints.includes(at)) continue;
      const next = pool.mints[0] === at ? pool.mints[1] : pool.mints[0];
      if (seen.includes(next) || !counts(pool, at === from && next === to)) continue;
      const { numerator, denominator } = pool.spot(at);
      if (numerator <= 0n || denominator <= 0n) continue;
      walk(next, { got: rate.got * numerator, given: rate.given * denominator }, [...seen, next]);
    }
  };
  walk(from, { got: 1n, given: 1n }, [from]);
  return best;
}
