import { mulDivCeil } from '@tradepost/solana';
import { constantProductOut } from '../shared/constant-product.ts';
import { FEE_DENOMINATOR } from './layout.ts';

export type LaunchState = {
  /** The reserves that the price counts: virtual reserves, less the sold units and plus the raised ones. */
  readonly reserveA: bigint;
  readonly reserveB: bigint;
  /** The units left for sale, and the raised ones that can be paid back. */
  readonly leftA: bigint;
  readonly raisedB: bigint;
  /** Protocol, platform and creator together, parts of a million; no share fee is asked for. */
  readonly feeRate: bigint;
};

const fee = (state: LaunchState, amount: bigint): bigint =>
  mulDivCeil(amount, state.feeRate, FEE_DENOMINATOR);

/** B for exactly `tokens` of A: the curve rounds down, the fee up. 0 when more than was raised would leave. */
export function launchSell(state: LaunchState, tokens: bigint): bigint {
  const gross = constantProductOut(tokens, state.reserveA, state.reserveB);
  return gross > state.raisedB ? 0n : gross - fee(state, gross);
}

/** A for exactly `amountB`, the fee taken first. 0 when more than is left would leave: the program then takes less B. */
export function launchBuy(state: LaunchState, amountB: bigint): bigint {
  const tokens = constantProductOut(amountB - fee(state, amountB), state.reserveB, state.reserveA);
  return tokens > state.leftA ? 0n : tokens;
}
