import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';

/** Shapes may be off in the last digits, and floats are. */
export const SLACK = 1 + 1e-6;

/** A curve A·x / (B + x): a constant product, fees in. */
export type Curve = { readonly most: number; readonly depth: number };

/** Where the amount is divided best: the price at which each curve that is used ends. Only a guess of λ, so that the bound is tight. */
export function marginalPrice(curves: readonly Curve[], amount: number): number {
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
export function curveOf(pool: Pool, from: Address, to: Address): readonly (readonly [Pool, Curve])[] {
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
