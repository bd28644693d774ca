import { type Address, LAMPORTS_PER_SOL, mulDivFloor } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';

declare const priceBrand: unique symbol;

/**
 * The worth of one WHOLE unit of a token in smallest units of another, times 10^18, rounded down. For reading and comparing; money is never
 * computed from it.
 */
export type Price = bigint & { readonly [priceBrand]: true };

export const PRICE_SCALE = 10n ** 18n;

/** A number that is already in the scale of a price. */
export const price = (scaled: bigint): Price => scaled as Price;

/**
 * The intermediate of buying and selling one whole `base` (with `decimals`) at zero size: fees widen both sides alike, so the
 * intermediate is nearly free of them. Null when the pool is empty on a side.
 */
export function midPrice(pool: Pick<Pool, 'mints' | 'spot'>, base: Address, decimals: number): Price | null {
  const quote = pool.mints[0] === base ? pool.mints[1] : pool.mints[0];
  const sell = pool.spot(base);
  const buy = pool.spot(quote);
  if (sell.numerator <= 0n || sell.denominator <= 0n || buy.numerator <= 0n || buy.denominator <= 0n) {
    return null;
  }
  const whole = 10n ** BigInt(decimals) * PRICE_SCALE;
  const bid = mulDivFloor(whole, sell.numerator, sell.denominator);
  const ask = mulDivFloor(whole, buy.denominator, buy.numerator);
  return price((bid + ask) / 2n);
}

/** The value of `amount` smallest units at `price`, in smallest units of the other token, rounded down. */
export function valueAt(price: Price, amount: bigint, decimals: number): bigint {
  return (amount * price) / (PRICE_SCALE * 10n ** BigInt(decimals));
}

/** Millionths of a US dollar that `lamports` are worth, rounded down. `microUsdPerSol` as `solPrice` gives it. */
export function microUsd(lamports: bigint, microUsdPerSol: bigint): bigint {
  return mulDivFloor(lamports, microUsdPerSol, LAMPORTS_PER_SOL);
}

/** US dollars × 10^12 for one whole token priced in lamports, rounded down: small prices keep their digits. */
export function picoUsdPerToken(price: Price, microUsdPerSol: bigint): bigint {
  return (price * microUsdPerSol * 1_000_000n) / (PRICE_SCALE * LAMPORTS_PER_SOL);
}

/** US dollars × 10^12 of a price that is shown in dollars, rounded down; the smallest there is where it is less. */
export function picoUsdShown(usd: number): bigint {
  const pico = BigInt(Math.floor(usd * 1e12));
  return pico === 0n && usd > 0 ? 1n : pico;
}

/** Millionths of a US dollar of a figure that is shown in dollars, cut; null stays null. */
export const microUsdShown = (usd: number | null): bigint | null =>
  usd === null ? null : BigInt(Math.trunc(usd * 1e6));
