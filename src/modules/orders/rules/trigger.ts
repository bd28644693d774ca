import { ageAt } from '../../../core/time/age.ts';
import type { OrderSide, OrderType, PriceUnit } from './order.ts';
import { compareRates, type Rate, scaleRate } from './rate.ts';

/** RISE orders wait for a better price, FALL orders for a worse one: both seen from the one who gives. */
export type Direction = 'RISE' | 'FALL';

/** Dollars per lamport as a ratio of smallest units, read at a slot of the pools. */
export type SolUsd = { readonly micros: bigint; readonly lamports: bigint; readonly at: number };

/** An older price of SOL is none: an order that waits for dollars sees nothing then. */
export const SOL_USD_MAX_AGE_MS = 30_000;

export type HoldChoice = 'fast' | 'normal' | 'careful';

/**
 * For how many milliseconds a condition must hold. A wrong RISE is harmless, its limit holds. For a FALL: one leader has four
 * slots in a row, which are less, and `leastBlocks` asks for more blocks than he can make.
 */
export function holdMsOf(direction: Direction, choice: HoldChoice): number {
  return direction === 'RISE' ? 0 : { fast: 0, normal: 2_400, careful: 12_000 }[choice];
}

/** Null for a type that fires by time or by an event. */
export function directionOf(type: OrderType): Direction | null {
  switch (type) {
    case 'LIMIT':
    case 'TAKE_PROFIT':
      return 'RISE';
    case 'STOP_LOSS':
    case 'TRAILING_STOP':
    case 'STOP_BUY':
      return 'FALL';
    case 'DCA':
    case 'DEV_SELLS':
    case 'LIQUIDITY_FALLS':
      return null;
  }
}

/**
 * For how many milliseconds the condition of a type must hold. Liquidity can be taken away for a moment, as a price can be pushed; a sale of
 * the creator cannot be forged by others, so it is not held.
 */
export function holdMsOfType(type: OrderType, choice: HoldChoice): number {
  const direction = type === 'LIQUIDITY_FALLS' ? 'FALL' : directionOf(type);
  return direction === null ? 0 : holdMsOf(direction, choice);
}

/** Whether the condition is true at `rate`, which is in the trigger's own unit. The trigger itself counts. */
export function isTrue(direction: Direction, trigger: Rate, rate: Rate): boolean {
  const order = compareRates(rate, trigger);
  return direction === 'RISE' ? order >= 0 : order <= 0;
}

/**
 * A rate in the unit of a trigger. In dollars a buy gives millionths of a dollar and a sale gets them. Null when the price of SOL
 * is not known or older than 30 seconds.
 */
export function rateIn(
  unit: PriceUnit,
  side: OrderSide,
  rate: Rate,
  solUsd: SolUsd | null,
  now: number,
): Rate | null {
  if (unit === 'SOL') return rate;
  if (solUsd === null || ageAt(solUsd.at, now) > SOL_USD_MAX_AGE_MS) return null;
  return side === 'sell'
    ? scaleRate(rate, solUsd.micros, solUsd.lamports)
    : scaleRate(rate, solUsd.lamports, solUsd.micros);
}

/** A rate of a trigger in SOL, at the price of SOL of now: the inverse of `rateIn`. Null as there. */
export function rateInSol(
  unit: PriceUnit,
  side: OrderSide,
  rate: Rate,
  solUsd: SolUsd | null,
  now: number,
): Rate | null {
  if (unit === 'SOL' || solUsd === null) return rateIn(unit, side, rate, solUsd, now);
  return rateIn(unit, side, rate, { ...solUsd, micros: solUsd.lamports, lamports: solUsd.micros }, now);
}
