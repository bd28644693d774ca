declare const lamportsBrand: unique symbol;

/** SOL in its smallest unit, 0 to 2^64 − 1. */
export type Lamports = bigint & { readonly [lamportsBrand]: true };

export const SOL_DECIMALS = 9;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
export const MAX_U64 = 18_446_744_073_709_551_615n;
/** A billion SOL, more than exist: a typed amount above it is a slip, and sums of it still fit everywhere. */
export const MOST_LAMPORTS = 1_000_000_000n * LAMPORTS_PER_SOL;

export const LAMPORTS_PER_SIGNATURE = lamports(5_000n);

/** Brands a checked amount. Throws a RangeError outside 0..2^64−1: that is a bug, not user input. */
export function lamports(value: bigint): Lamports {
  if (value < 0n || value > MAX_U64) throw new RangeError(`lamports out of range: ${value}`);
  return value as Lamports;
}
