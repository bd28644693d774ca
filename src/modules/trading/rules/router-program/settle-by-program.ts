import { type Address, mulDivFloor } from '@tradepost/solana';
import type { PlannedHop, SettledHop } from '../settle-hops.ts';
import type { SwapOrder } from '../swap-order.ts';
import { wholePercents } from '../whole-percents.ts';

/**
 * Amounts as the router program executes the legs: weights rounded to whole percents first, then every quote for the true amount of such a
 * step. A step spends its percent, rounded down, of all units of its token that earlier steps brought. The last one out of a token spends
 * all that is left, so nothing stays in the middle. Measured on the program to the unit. `legs` as `Route` orders them. Null when a leg
 * would get no whole percent, or spend or bring nothing.
 */
export function settleByProgram(
  legs: readonly PlannedHop[],
  order: Pick<SwapOrder, 'mintIn' | 'mintOut' | 'amountIn'>,
): readonly SettledHop[] | null {
  const percents = percentsOf(legs);
  const held = new Map<Address, bigint>([[order.mintIn, order.amountIn]]);
  const spent = new Map<Address, bigint>();
  const settled: SettledHop[] = [];
  for (const [index, { pool, mintIn, mintOut }] of legs.entries()) {
    const percent = percents[index] ?? 0;
    if (percent === 0) return null;
    const balance = held.get(mintIn) ?? 0n;
    const gone = spent.get(mintIn) ?? 0n;
    const isLast = !legs.slice(index + 1).some((later) => later.mintIn === mintIn);
    const amountIn = isLast ? balance - gone : mulDivFloor(balance, BigInt(percent), 100n);
    const amountOut = amountIn > 0n ? pool.quote(mintIn, amountIn) : 0n;
    if (amountOut <= 0n) return null;
    spent.set(mintIn, gone + amountIn);
    held.set(mintOut, (held.get(mintOut) ?? 0n) + amountOut);
    const leastOut = mintOut === order.mintOut ? null : amountOut;
    settled.push({ pool, mintIn, mintOut, amountIn, amountOut, leastOut, percent });
  }
  return settled;
}

function percentsOf(legs: readonly PlannedHop[]): readonly number[] {
  const percents = new Map<PlannedHop, number>();
  for (const mint of new Set(legs.map(({ mintIn }) => mintIn))) {
    const group = legs.filter(({ mintIn }) => mintIn === mint);
    const shares = wholePercents(group.map(({ weight }) => weight));
    for (const [index, leg] of group.entries()) percents.set(leg, shares[index] ?? 0);
  }
  return legs.map((leg) => percents.get(leg) ?? 0);
}
