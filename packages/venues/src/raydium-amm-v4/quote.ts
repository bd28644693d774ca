import { divCeil } from '@tradepost/solana';
import { constantProductOut } from '../shared/constant-product.ts';

export type AmmV4Side = {
  /** Vault balance less the profit that is owed to the protocol. */
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

/**
 * Units that leave the output vault for `arriving` units: the fee rounds up, the curve down. Source of truth: raydium-amm
 * processor.rs `process_swap_base_in`.
 */
export function ammV4Out(side: AmmV4Side, arriving: bigint): bigint {
  return constantProductOut(arriving - swapFee(side, arriving), side.reserveIn, side.reserveOut);
}

/**
 * Rounded up, but to the nearest where less than one whole unit would be due: fewer than 200 units trade without a fee at
 * 25/10000. The vendor's SDK always rounds up. Source of truth: raydium-amm math.rs `CheckedCeilDiv for u128`.
 */
function swapFee(side: AmmV4Side, arriving: bigint): bigint {
  const share = arriving * side.feeNumerator;
  if (share < side.feeDenominator) return share * 2n >= side.feeDenominator ? 1n : 0n;
  return divCeil(share, side.feeDenominator);
}
