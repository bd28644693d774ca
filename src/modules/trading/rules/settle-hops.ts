import { type Address, mulDivFloor } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { Remainder, RouteLeg } from './route.ts';
import type { SwapOrder } from './swap-order.ts';

/** A leg as planned: only the proportions of `weight` among the legs out of one token count. */
export type PlannedHop = {
  readonly pool: Pool;
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly weight: bigint;
};

/** A leg with its amounts, before shares are put into percents. */
export type SettledHop = Omit<RouteLeg, 'shareBps'> & {
  /** Set by `settleByProgram`: the whole percent of its input token that the leg spends. */
  readonly percent?: number;
};

/**
 * Amounts that a chain of separate venue instructions can execute. Each leg spends a fixed amount, so the legs out of an intermediate token
 * divide the LEAST output of the legs into it: the quote where the pool pays it exactly or fails, else the quote less the margin. If the
 * earlier legs pass, the later ones are funded; output beyond that is the remainder. The last leg out of each token takes all that is left.
 * `legs` as `Route` orders them. Null when a leg would spend or bring nothing.
 */
export function settleHops(legs: readonly PlannedHop[], order: SwapOrder): readonly SettledHop[] | null {
  const held = new Map<Address, bigint>([[order.mintIn, order.amountIn]]);
  const spent = new Map<Address, bigint>();
  const weights = new Map<Address, bigint>();
  for (const { mintIn, weight } of legs) weights.set(mintIn, (weights.get(mintIn) ?? 0n) + weight);
  const settled: SettledHop[] = [];
  for (const [index, { pool, mintIn, mintOut, weight }] of legs.entries()) {
    const balance = held.get(mintIn) ?? 0n;
    const isLast = !legs.slice(index + 1).some((later) => later.mintIn === mintIn);
    const gone = spent.get(mintIn) ?? 0n;
    const amountIn = isLast ? balance - gone : mulDivFloor(balance, weight, weights.get(mintIn) ?? 1n);
    const amountOut = amountIn > 0n ? pool.quote(mintIn, amountIn) : 0n;
    if (amountOut <= 0n) return null;
    const leastOut = mintOut === order.mintOut ? null : leastOf(pool, amountOut, order.hopMarginBps ?? 0);
    if (leastOut === 0n) return null;
    spent.set(mintIn, gone + amountIn);
    if (leastOut !== null) held.set(mintOut, (held.get(mintOut) ?? 0n) + leastOut);
    settled.push({ pool, mintIn, mintOut, amountIn, amountOut, leastOut });
  }
  return settled;
}

function leastOf(pool: Pool, amountOut: bigint, marginBps: number): bigint {
  return pool.exactOut === true ? amountOut : mulDivFloor(amountOut, BigInt(10_000 - marginBps), 10_000n);
}

/** The output of the legs in each intermediate token beyond the spending of later legs, by the quotes. */
export function remaindersOf(legs: readonly SettledHop[]): readonly Remainder[] {
  const left = new Map<Address, bigint>();
  for (const { mintOut, amountOut, leastOut } of legs) {
    if (leastOut !== null) left.set(mintOut, (left.get(mintOut) ?? 0n) + amountOut - leastOut);
  }
  return [...left].flatMap(([mint, units]) => (units > 0n ? [{ mint, units }] : []));
}

/** Units of `mintOut` that the legs into it bring. */
export function outputOf(legs: readonly Pick<SettledHop, 'leastOut' | 'amountOut'>[]): bigint {
  return legs.reduce((sum, { leastOut, amountOut }) => (leastOut === null ? sum + amountOut : sum), 0n);
}

/** Tokens that the legs pass through, in that order. */
export function intermediatesOf(legs: readonly SettledHop[]): readonly Address[] {
  return [...new Set(legs.flatMap(({ mintOut, leastOut }) => (leastOut === null ? [] : [mintOut])))];
}
