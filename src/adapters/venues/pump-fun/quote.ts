import { mulDivFloor } from '../../../core/amounts/rounding.ts';
import { constantProductOut } from '../shared/exchange/constant-product.ts';
import { pumpFee } from '../shared/exchange/pump-fees.ts';

export type CurveState = {
  readonly virtualToken: bigint;
  readonly virtualQuote: bigint;
  /** What the curve can still sell and still pay out. */
  readonly realToken: bigint;
  readonly realQuote: bigint;
  readonly protocolBps: bigint;
  /** 0 where the coin names no creator. */
  readonly creatorBps: bigint;
};

/**
 * Lamports for exactly `tokens`: the curve rounds down, both fees up and one by one. 0 when the curve does not hold them.
 * Source of truth: the vendor's SDK, `getSellSolAmountFromTokenAmount`.
 */
export function curveSell(state: CurveState, tokens: bigint): bigint {
  const gross = constantProductOut(tokens, state.virtualToken, state.virtualQuote);
  if (gross > state.realQuote) return 0n;
  return gross - pumpFee(gross, state.protocolBps) - pumpFee(gross, state.creatorBps);
}

/**
 * Tokens for exactly `lamports`: fees are divided out, what rounding them up takes too much comes off the rest, and one
 * lamport is kept back. 0 when that is more than the curve has left: the rest of the lamports would buy nothing. Source of
 * truth: the program's `buy_exact_sol_in`; the vendor's SDK pays a lamport's worth more for many amounts.
 */
export function curveBuy(state: CurveState, lamports: bigint): bigint {
  const { protocolBps, creatorBps } = state;
  const net = mulDivFloor(lamports, 10_000n, 10_000n + protocolBps + creatorBps);
  const excess = net + pumpFee(net, protocolBps) + pumpFee(net, creatorBps) - lamports;
  const effective = excess > 0n ? net - excess : net;
  const tokens = constantProductOut(effective - 1n, state.virtualQuote, state.virtualToken);
  return tokens > state.realToken ? 0n : tokens;
}
