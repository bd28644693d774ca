import { mulDivCeil } from '@tradepost/solana';
import { constantProductOut } from '../shared/constant-product.ts';

/** Rates are parts of a million. */
export const FEE_DENOMINATOR = 1_000_000n;

export type CpmmSide = {
  /** Vault balance less the fees that have accrued in it. */
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly tradeFeeRate: bigint;
  /** 0 where the pool pays its creator nothing. */
  readonly creatorFeeRate: bigint;
  readonly creatorFeeOnInput: boolean;
};

/**
 * Units that leave the output vault for `arriving` units in the input vault. Fees round up, the curve down. On the input
 * side both fees are one sum rounded once. Source of truth: raydium-cp-swap curve/calculator.rs `swap_base_input`.
 */
export function cpmmOut(side: CpmmSide, arriving: bigint): bigint {
  const rateIn = side.tradeFeeRate + (side.creatorFeeOnInput ? side.creatorFeeRate : 0n);
  const net = arriving - mulDivCeil(arriving, rateIn, FEE_DENOMINATOR);
  const swapped = constantProductOut(net, side.reserveIn, side.reserveOut);
  if (side.creatorFeeOnInput) return swapped;
  return swapped - mulDivCeil(swapped, side.creatorFeeRate, FEE_DENOMINATOR);
}
