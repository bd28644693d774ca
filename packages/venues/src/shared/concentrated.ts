import { divCeil, mulDivCeil } from '@tradepost/solana';

/**
 * Swaps through ranges of liquidity as Uniswap v3 defined them: prices are square roots of B per A in Q64.64. Every
 * amount in rounds up and every amount out down. Source of truth: raydium-clmm libraries/swap_math.rs, orca-so/whirlpools
 * math/swap_math.rs; both round alike.
 */
export type Stop = {
  readonly sqrtPrice: bigint;
  /** Added when the price passes upwards, taken off downwards; 0 at the end of the known ticks. */
  readonly liquidityNet: bigint;
};

export type Ranges = {
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
  /** In the order the price reaches them. Liquidity beyond the last is not for sale. */
  readonly stops: readonly Stop[];
  /** Parts of a million of the input. */
  readonly feeRate: bigint;
};

export type RangesResult = {
  /** 0 when the stops cannot take the whole amount. */
  readonly out: bigint;
  /** How many stops the price passed. */
  readonly passed: number;
};

const MILLION = 1_000_000n;

/** Sells `arriving` of A (`direction` 0, the price falls) or of B (1, it rises). */
export function sellThroughRanges(ranges: Ranges, direction: 0 | 1, arriving: bigint): RangesResult {
  let price = ranges.sqrtPrice;
  let liquidity = ranges.liquidity;
  let left = arriving;
  let out = 0n;
  let passed = 0;
  for (const stop of ranges.stops) {
    const step = sellWithinRange(ranges.feeRate, direction, {
      price,
      liquidity,
      target: stop.sqrtPrice,
      left,
    });
    left -= step.paid;
    out += step.out;
    // A target reached only by rounding can ask for more than is left; the program fails there.
    if (left < 0n) return { out: 0n, passed };
    if (left === 0n) return { out, passed };
    price = stop.sqrtPrice;
    liquidity += direction === 0 ? -stop.liquidityNet : stop.liquidityNet;
    passed++;
    // Liquidity below zero means the arrays disagree with the pool: nothing of it can be trusted.
    if (liquidity < 0n) return { out: 0n, passed };
  }
  return { out: 0n, passed };
}

type Step = {
  readonly price: bigint;
  readonly liquidity: bigint;
  readonly target: bigint;
  readonly left: bigint;
};

/** One range. Either the target is reached, or everything left is paid, its remainder after the curve being fee. */
function sellWithinRange(feeRate: bigint, direction: 0 | 1, step: Step): { paid: bigint; out: bigint } {
  const { price, liquidity, target, left } = step;
  const net = (left * (MILLION - feeRate)) / MILLION;
  const room = amountIn(direction, price, target, liquidity);
  const next = room <= net ? target : nextPrice(direction, price, liquidity, net);
  const out = amountOut(direction, price, next, liquidity);
  if (next !== target) return { paid: left, out };
  return { paid: room + mulDivCeil(room, feeRate, MILLION - feeRate), out };
}

function nextPrice(direction: 0 | 1, price: bigint, liquidity: bigint, amount: bigint): bigint {
  if (direction === 1) return price + (amount << 64n) / liquidity;
  const scaled = liquidity << 64n;
  return mulDivCeil(scaled, price, scaled + amount * price);
}

function amountIn(direction: 0 | 1, from: bigint, to: bigint, liquidity: bigint): bigint {
  if (direction === 1) return divCeil(liquidity * (to - from), 1n << 64n);
  return divCeil((liquidity * (from - to)) << 64n, from * to);
}

function amountOut(direction: 0 | 1, from: bigint, to: bigint, liquidity: bigint): bigint {
  if (direction === 0) return (liquidity * (from - to)) >> 64n;
  return ((liquidity * (to - from)) << 64n) / (from * to);
}
