import { mulDivCeil, mulDivFloor } from '@tradepost/solana';
import { AppError } from '../errors/app-error.ts';

declare const bpsBrand: unique symbol;

/** Hundredths of a percent, an integer 0 to 10,000. */
export type Bps = number & { readonly [bpsBrand]: true };

const WHOLE = 10_000n;

/** Brands a checked rate. Throws BPS_OUT_OF_RANGE naming `field` when it is fractional or outside 0..10000. */
export function bps(value: number, field = 'bps'): Bps {
  if (!isBps(value)) throw new AppError('BPS_OUT_OF_RANGE', { field, min: 0, max: 10_000 });
  return value;
}

export function isBps(value: number): value is Bps {
  return Number.isInteger(value) && value >= 0 && value <= 10_000;
}

/** The part of `amount` that `rate` names, rounded down. */
export function bpsFloor(amount: bigint, rate: Bps): bigint {
  return mulDivFloor(amount, BigInt(rate), WHOLE);
}

/** The part of `amount` that `rate` names, rounded up. */
export function bpsCeil(amount: bigint, rate: Bps): bigint {
  return mulDivCeil(amount, BigInt(rate), WHOLE);
}

/** The least acceptable output: `amount` less `slippage`, rounded up, so that rounding never widens the tolerance. */
export function minimumOut(amount: bigint, slippage: Bps): bigint {
  return mulDivCeil(amount, WHOLE - BigInt(slippage), WHOLE);
}
