import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { curveOf, marginalPrice } from './curve.ts';

/**
 * The output of an amount that is divided over the pools of the pair by their curves, at a hundredth of the router's cost. It equals the
 * router's result within a thousandth, and is a few percent more where its transaction has no room for all of them. Exact for its division,
 * which is always the same for the same pools. Null where a pool of `pools` is no constant product between the two: only the router knows
 * the joint output of such ways.
 */
export function dividedOutput(
  pools: readonly Pool[],
  from: Address,
  to: Address,
  amount: bigint,
): bigint | null {
  const curves = pools.flatMap((pool) => curveOf(pool, from, to));
  if (curves.length === 0 || curves.length < pools.length) return null;
  const price = marginalPrice(
    curves.map(([, curve]) => curve),
    Number(amount),
  );
  const shares = curves
    .map(([pool, { most, depth }]) => ({
      pool,
      share: BigInt(Math.max(0, Math.floor(Math.sqrt((most * depth) / price) - depth))),
    }))
    .toSorted((a, b) => (a.share < b.share ? -1 : 1));
  let [left, output] = [amount, 0n];
  for (const [index, { pool, share }] of shares.entries()) {
    // The largest takes the remainder of roundings.
    const given = index === shares.length - 1 || share > left ? left : share;
    left -= given;
    if (given > 0n) output += pool.quote(from, given);
  }
  return output;
}
