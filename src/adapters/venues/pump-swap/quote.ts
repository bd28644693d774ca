import { mulDivFloor } from '../../../core/amounts/rounding.ts';
import { constantProductOut } from '../shared/exchange/constant-product.ts';
import { type PumpFees, pumpFee } from '../shared/exchange/pump-fees.ts';

export type PumpSwapState = {
  readonly baseReserve: bigint;
  /** The vault's balance. */
  readonly realQuote: bigint;
  /** What the price counts: the vault's balance and the virtual reserves. */
  readonly quoteReserve: bigint;
  /** `creatorBps` is 0 where the coin names no creator. */
  readonly fees: PumpFees;
};

const allFees = (fees: PumpFees, amount: bigint): bigint =>
  pumpFee(amount, fees.lpBps) + pumpFee(amount, fees.protocolBps) + pumpFee(amount, fees.creatorBps);

/** Quote units for exactly `base` units: the curve rounds down, each fee up. Source of truth: the SDK's `sellBaseInput`. */
export function pumpSwapSell(state: PumpSwapState, base: bigint): bigint {
  const gross = constantProductOut(base, state.baseReserve, state.quoteReserve);
  // The vault pays the trader and the fees that leave it; the liquidity providers' fee stays.
  if (state.realQuote < gross - pumpFee(gross, state.fees.lpBps)) return 0n;
  return gross - allFees(state.fees, gross);
}

/** Base units for exactly `quote` units, fees on top of what reaches the curve. Source of truth: `buyQuoteInput`. */
export function pumpSwapBuy(state: PumpSwapState, quote: bigint): bigint {
  const { fees } = state;
  const net = mulDivFloor(quote, 10_000n, 10_000n + fees.lpBps + fees.protocolBps + fees.creatorBps);
  const excess = net + allFees(fees, net) - quote;
  const effective = excess > 0n ? net - excess : net;
  // One unit is kept back for the rounding of the exact-output purchase that the program makes of it.
  return constantProductOut(effective - 1n, state.quoteReserve, state.baseReserve);
}
