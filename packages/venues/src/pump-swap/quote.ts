import { constantProductOut } from '../shared/constant-product.ts';
import { type PumpFees, pumpFee, pumpFeeSum, pumpSpend } from '../shared/pump-fees.ts';

export type PumpSwapState = {
  readonly baseReserve: bigint;
  /** The vault's balance. */
  readonly realQuote: bigint;
  /** The reserve that the price counts: the vault's balance and the virtual reserves. */
  readonly quoteReserve: bigint;
  /** `creatorBps` is 0 where the coin names no creator. */
  readonly fees: PumpFees;
};

/** Quote units for exactly `base` units: the curve rounds down, each fee up. Source of truth: the SDK's `sellBaseInput`. */
export function pumpSwapSell(state: PumpSwapState, base: bigint): bigint {
  const gross = constantProductOut(base, state.baseReserve, state.quoteReserve);
  // The vault pays the trader and the fees that leave it; the liquidity providers' fee stays.
  if (state.realQuote < gross - pumpFee(gross, state.fees.lpBps)) return 0n;
  return gross - pumpFeeSum(state.fees, gross);
}

/** Base units for exactly `quote` units, fees on top of the amount that reaches the curve. Source of truth: `buyQuoteInput`. */
export function pumpSwapBuy(state: PumpSwapState, quote: bigint): bigint {
  return constantProductOut(pumpSpend(state.fees, quote), state.quoteReserve, state.baseReserve);
}
