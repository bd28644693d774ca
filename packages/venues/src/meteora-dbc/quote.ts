import { maxBigint, minBigint, mulDivCeil } from '@tradepost/solana';
import {
  amountAIn,
  amountAOut,
  amountBIn,
  amountBOut,
  sqrtPriceAfterA,
  sqrtPriceAfterB,
} from '../shared/sqrt-price.ts';
import { COLLECT_IN_QUOTE, FEE_DENOMINATOR } from './layout.ts';

/** Up to `sqrtPrice` the curve has this liquidity. */
export type CurvePoint = { readonly sqrtPrice: bigint; readonly liquidity: bigint };

export type DbcState = {
  readonly sqrtPrice: bigint;
  /** Where the curve begins: no sale takes the price below. */
  readonly sqrtStartPrice: bigint;
  /** Where the curve is complete: no purchase takes the price above. */
  readonly sqrtEndPrice: bigint;
  /** Ascending, none empty. */
  readonly curve: readonly CurvePoint[];
  readonly feeNumerator: bigint;
  readonly collectFeeMode: number;
};

/** 0 sells the launched token (base), 1 buys it with quote. */
export function feeOnInput(collectFeeMode: number, direction: 0 | 1): boolean {
  return collectFeeMode === COLLECT_IN_QUOTE && direction === 1;
}

/**
 * Units that leave the vault for `arriving` units; 0 when the curve cannot take the whole of it, where the program refuses
 * the swap. Source of truth: MeteoraAg/dynamic-bonding-curve state/virtual_pool.rs `get_swap_result_from_exact_input`.
 */
export function dbcOut(state: DbcState, direction: 0 | 1, arriving: bigint): bigint {
  const onInput = feeOnInput(state.collectFeeMode, direction);
  const net = onInput ? afterFee(arriving, state.feeNumerator) : arriving;
  if (net <= 0n) return 0n;
  const out = direction === 0 ? sellBase(state, net) : sellQuote(state, net);
  return onInput ? out : afterFee(out, state.feeNumerator);
}

/** Down the curve, segment by segment; below the first point its liquidity reaches to the start price. */
function sellBase(state: DbcState, net: bigint): bigint {
  let price = state.sqrtPrice;
  let left = net;
  let out = 0n;
  for (let index = state.curve.length - 1; index >= 0; index--) {
    const segment = state.curve[index];
    const lower = index === 0 ? state.sqrtStartPrice : state.curve[index - 1]?.sqrtPrice;
    if (segment === undefined || lower === undefined || lower >= price) continue;
    const room = amountAIn(lower, price, segment.liquidity);
    if (left < room || (index === 0 && left === room)) {
      const next = sqrtPriceAfterA(price, segment.liquidity, left);
      return out + amountBOut(maxBigint(next, lower), price, segment.liquidity);
    }
    out += amountBOut(lower, price, segment.liquidity);
    left -= room;
    price = lower;
    if (left === 0n) return out;
  }
  return 0n;
}

/** Up the curve to the price at which it is complete. */
function sellQuote(state: DbcState, net: bigint): bigint {
  let price = state.sqrtPrice;
  let left = net;
  let out = 0n;
  for (const segment of state.curve) {
    const upper = minBigint(state.sqrtEndPrice, segment.sqrtPrice);
    if (upper <= price) continue;
    const room = amountBIn(price, upper, segment.liquidity);
    if (left < room) {
      return out + amountAOut(price, sqrtPriceAfterB(price, segment.liquidity, left), segment.liquidity);
    }
    out += amountAOut(price, upper, segment.liquidity);
    left -= room;
    price = upper;
    if (left === 0n) return out;
  }
  return 0n;
}

function afterFee(amount: bigint, numerator: bigint): bigint {
  return amount - mulDivCeil(amount, numerator, FEE_DENOMINATOR);
}
