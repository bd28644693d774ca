import { MAX_U64 } from './lamports.ts';

declare const tokenAmountBrand: unique symbol;

/** A token quantity in the mint's smallest unit, 0 to 2^64 − 1. Says nothing about which mint. */
export type TokenAmount = bigint & { readonly [tokenAmountBrand]: true };

/** Brands a checked amount. Throws a RangeError outside 0..2^64−1: that is a bug, not user input. */
export function tokenAmount(value: bigint): TokenAmount {
  if (value < 0n || value > MAX_U64) throw new RangeError(`token amount out of range: ${value}`);
  return value as TokenAmount;
}
