import { minBigint, mulDivCeil } from '@tradepost/solana';
import { amountAOut, amountBOut, sqrtPriceAfterA, sqrtPriceAfterB } from '../shared/sqrt-price.ts';
import { COLLECT_IN_B, FEE_DENOMINATOR, MAX_FEE_NUMERATOR } from './layout.ts';

export type DammState = {
  readonly sqrtPrice: bigint;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
  readonly feeNumerator: bigint;
  readonly collectFeeMode: number;
};

/** The fee of one swap: the sum of schedule and volatility, at most the cap of the pool's fee version. */
export function cappedFee(scheduled: bigint, volatility: bigint, feeVersion: 0 | 1): bigint {
  return minBigint(scheduled + volatility, MAX_FEE_NUMERATOR[feeVersion]);
}

/** True when the fee is taken before the curve: selling B into a pool that collects in B. */
export function feeOnInput(collectFeeMode: number, direction: 0 | 1): boolean {
  return collectFeeMode === COLLECT_IN_B && direction === 1;
}

/**
 * Units that leave the vault for `arriving` units; 0 when the price would leave the pool's range, where the program
 * refuses the whole swap. Source of truth: MeteoraAg/damm-v2 state/pool.rs `get_swap_result_from_exact_input`.
 */
export function dammOut(state: DammState, direction: 0 | 1, arriving: bigint): bigint {
  const onInput = feeOnInput(state.collectFeeMode, direction);
  const net = onInput ? afterFee(arriving, state.feeNumerator) : arriving;
  if (net <= 0n) return 0n;
  const out = direction === 0 ? sellA(state, net) : sellB(state, net);
  return onInput ? out : afterFee(out, state.feeNumerator);
}

function sellA(state: DammState, net: bigint): bigint {
  const next = sqrtPriceAfterA(state.sqrtPrice, state.liquidity, net);
  return next < state.sqrtMinPrice ? 0n : amountBOut(next, state.sqrtPrice, state.liquidity);
}

function sellB(state: DammState, net: bigint): bigint {
  const next = sqrtPriceAfterB(state.sqrtPrice, state.liquidity, net);
  return next > state.sqrtMaxPrice ? 0n : amountAOut(state.sqrtPrice, next, state.liquidity);
}

function afterFee(amount: bigint, numerator: bigint): bigint {
  return amount - mulDivCeil(amount, numerator, FEE_DENOMINATOR);
}
