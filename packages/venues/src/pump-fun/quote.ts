import { constantProductOut } from '../shared/constant-product.ts';
import { pumpFeeSum, pumpSpend } from '../shared/pump-fees.ts';

export type CurveState = {
  readonly virtualToken: bigint;
  readonly virtualQuote: bigint;
  /** The amounts that the curve can still sell and still pay out. */
  readonly realToken: bigint;
  readonly realQuote: bigint;
  readonly protocolBps: bigint;
  /** 0 where the coin names no creator. */
  readonly creatorBps: bigint;
};

/**
 * Units of the quote for exactly `tokens`: the curve rounds down, both fees up and one by one. 0 when the curve does not hold them.
 * Source of truth: the vendor's SDK, `getSellSolAmountFromTokenAmount`.
 */
export function curveSell(state: CurveState, tokens: bigint): bigint {
  const gross = constantProductOut(tokens, state.virtualToken, state.virtualQuote);
  if (gross > state.realQuote) return 0n;
  return gross - pumpFeeSum({ ...state, lpBps: 0n }, gross);
}

/**
 * Tokens for exactly `spent` units of the quote. 0 when that is more than the curve has left: the rest would buy nothing. Source of
 * truth: the program's `buy_exact_sol_in`; the vendor's SDK pays a unit's worth more for many amounts.
 */
export function curveBuy(state: CurveState, spent: bigint): bigint {
  const tokens = constantProductOut(
    pumpSpend({ ...state, lpBps: 0n }, spent),
    state.virtualQuote,
    state.virtualToken,
  );
  return tokens > state.realToken ? 0n : tokens;
}
