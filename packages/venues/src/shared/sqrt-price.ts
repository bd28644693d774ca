import { divCeil, mulDivCeil } from '@tradepost/solana';

/**
 * Meteora's price arithmetic: a price is the square root of B per A in Q64.64, liquidity is scaled by 2^64 as well. The
 * pool always keeps the fraction. Source of truth: MeteoraAg/damm-v2 programs/cp-amm/src/curve.rs.
 */
const SCALE = 128n;

/** The price after `amount` of A came in, rounded up: it falls by no more than was paid for. */
export function sqrtPriceAfterA(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  return mulDivCeil(liquidity, sqrtPrice, liquidity + amount * sqrtPrice);
}

/** The price after `amount` of B came in, rounded down. */
export function sqrtPriceAfterB(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  return sqrtPrice + (amount << SCALE) / liquidity;
}

/** Units of A between two prices, rounded down. */
export function amountAOut(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) / (lower * upper);
}

/** Units of B between two prices, rounded down. */
export function amountBOut(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) >> SCALE;
}

/** Units of A that move the price from `upper` down to `lower`, rounded up. */
export function amountAIn(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divCeil(liquidity * (upper - lower), lower * upper);
}

/** Units of B that move the price from `lower` up to `upper`, rounded up. */
export function amountBIn(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divCeil(liquidity * (upper - lower), 1n << SCALE);
}

/** A Q64.64 number as a double, for curves that are only searched on. */
export function fromQ64(value: bigint): number {
  return Number(value) / 2 ** 64;
}
