import type { Address } from '../address/address.ts';
import type { Pool } from '../ports/venue.ts';
import { compareRates, type Rate } from './rate.ts';

/** A chain of more pools is never routed. */
const MAX_HOPS = 3;
/** Shapes may be off in the last digits, and floats are. */
const SLACK = 1 + 1e-6;
/** Fees and outputs are rounded, each by less than a unit: a way has some of them. */
const ROUNDING_UNITS = 8;

/** A curve A·x / (B + x): a constant product, fees in. */
type Curve = { readonly most: number; readonly depth: number };

/** The best rate at zero size over every way there is: curves are concave, so no amount does better. Null without a way. */
export function bestSpot(pools: readonly Pool[], from: Address, to: Address): Rate | null {
  return bestOf(pools, from, to, () => true);
}

/**
 * What no route brings more of for an amount. Constant products between the two are counted by their curves: at one marginal price
 * λ, whichever it is, the output is at most λ · amount + Σ max(f(x) − λx). Every other way is counted as if its rate at zero size
 * never fell, which λ is therefore not below. Null without a way.
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

/** Where the amount is divided best: the price at which each curve that is used ends. Only a guess of λ, so that the bound is tight. */
function marginalPrice(curves: readonly Curve[], amount: number): number {
  let used = curves;
  for (;;) {
    const depth = used.reduce((sum, one) => sum + one.depth, amount);
    const roots = used.reduce((sum, one) => sum + Math.sqrt(one.most * one.depth), 0);
    const price = (roots / depth) ** 2;
    const better = used.filter((one) => one.most / one.depth > price);
    if (better.length === used.length || better.length === 0) return price;
    used = better;
  }
}

/** The curve of a direct pool, where its shape says one that is not below its rate at zero size. */
function curveOf(pool: Pool, from: Address, to: Address): readonly (readonly [Pool, Curve])[] {
  const { shape, gains, mints } = pool;
  if (shape?.kind !== 'constant-product' || gains === undefined) return [];
  if (!mints.includes(from) || !mints.includes(to)) return [];
  const [give, take, gain] =
    mints[0] === from
      ? [shape.reserves[0], shape.reserves[1], gains[0]]
      : [shape.reserves[1], shape.reserves[0], gains[1]];
  const curve = { most: gain.out * Number(take), depth: Number(give) / gain.in };
  const { numerator, denominator } = pool.spot(from);
  const spot = Number(numerator) / Number(denominator);
  return curve.most > 0 && curve.depth > 0 && spot <= (curve.most / curve.depth) * SLACK
    ? [[pool, curve]]
    : [];
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
