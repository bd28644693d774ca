import { maxBigint } from '@tradepost/solana';
import { bps, minimumOut } from '../../../core/amounts/bps.ts';
import {
  dearestRate,
  defaultFloor,
  largestPart,
  leastPart,
  limitRate,
  stopTerms,
} from '../rules/fire-terms.ts';
import type { Order } from '../rules/order.ts';
import { leastGot, type Rate } from '../rules/rate.ts';
import { isTrue, rateIn, rateInSol, type SolUsd } from '../rules/trigger.ts';

/** The amount that a fire would give and its minimum output, or why it does not happen. */
export type FireTerms =
  | { readonly kind: 'fire'; readonly units: bigint; readonly minOut: bigint }
  /** The price is not there any more, or not for this size: no notice is sent. */
  | { readonly kind: 'price-back' }
  | { readonly kind: 'below-floor'; readonly quoted: bigint; readonly floor: bigint }
  /** The price of SOL is not known, and the order is in dollars. */
  | { readonly kind: 'blind' };

export type FireLook = {
  readonly units: bigint;
  readonly quoted: bigint;
  /** The output of another amount; null = no route. */
  readonly quote: (units: bigint) => bigint | null;
  readonly solUsd: SolUsd | null;
  readonly now: number;
  /** The high that a trailing stop fell from, in its unit. */
  readonly high: Rate | null;
  /** It sells at its end: no trigger is asked. */
  readonly exits?: boolean;
};

/**
 * The terms of a fire on a quote of now: the condition is judged once more on the exact amount, so that an evaluator that saw
 * something else fires nothing. Minimums are rounded up.
 */
export function fireTerms(order: Order, look: FireLook): FireTerms {
  if (look.exits === true) return exitTerms(order, look);
  switch (order.type) {
    case 'LIMIT':
    case 'TAKE_PROFIT':
      return limitTerms(order, look);
    case 'STOP_LOSS':
    case 'TRAILING_STOP':
      return stopSaleTerms(order, look);
    case 'STOP_BUY':
      return stopBuyTerms(order, look);
    case 'DCA':
      return roundTerms(order, look);
    // Its event was judged before: it sells at the present price, as a stop that was passed.
    case 'DEV_SELLS':
    case 'LIQUIDITY_FALLS':
      return exitTerms(order, look);
  }
}

function limitTerms(order: Order, { units, quoted, quote, solUsd, now }: FireLook): FireTerms {
  if (order.trigger === null) return { kind: 'price-back' };
  const tolerance = bps(order.terms.toleranceBps);
  const limit = rateInSol(order.unit, order.side, limitRate(order.trigger, tolerance), solUsd, now);
  if (limit === null) return { kind: 'blind' };
  if (quoted >= leastGot(limit, units)) return { kind: 'fire', units, minOut: leastGot(limit, units) };
  if (!order.partial) return { kind: 'price-back' };
  // The worth of a unit in lamports: itself for a buy, the limit for a sale.
  const worth = order.side === 'buy' ? { got: 1n, given: 1n } : limit;
  const whole = order.amount.kind === 'fixed' ? order.amount.units : units;
  const part = largestPart(units, leastPart(whole, units, worth), limit, quote);
  return part === null
    ? { kind: 'price-back' }
    : { kind: 'fire', units: part.units, minOut: leastGot(limit, part.units) };
}

/** As a stop that was passed: its floor holds, and an order without one sells at the present price. */
function exitTerms(order: Order, { units, quoted, solUsd, now }: FireLook): FireTerms {
  const { floor } = order.terms;
  const inSol = floor === null ? null : rateInSol(order.unit, order.side, floor, solUsd, now);
  if (floor !== null && inSol === null) return { kind: 'blind' };
  const terms = stopTerms(inSol, units, quoted);
  return terms.kind === 'fire'
    ? { kind: 'fire', units, minOut: terms.minimumOut }
    : { kind: 'below-floor', quoted, floor: terms.floor };
}

function stopSaleTerms(order: Order, look: FireLook): FireTerms {
  const { units, quoted, solUsd, now, high } = look;
  const rate = rateIn(order.unit, order.side, { got: quoted, given: units }, solUsd, now);
  if (rate === null) return { kind: 'blind' };
  const trailing = order.terms.trailing;
  const trigger =
    order.trigger ?? (trailing === null || high === null ? null : limitRate(high, bps(trailing.bps)));
  if (trigger === null || !isTrue('FALL', trigger, rate)) return { kind: 'price-back' };
  const floor =
    order.type === 'TRAILING_STOP' && order.terms.floor === null ? defaultFloor(trigger) : order.terms.floor;
  const inSol = floor === null ? null : rateInSol(order.unit, order.side, floor, solUsd, now);
  const terms = stopTerms(inSol, units, quoted);
  return terms.kind === 'fire'
    ? { kind: 'fire', units, minOut: terms.minimumOut }
    : { kind: 'below-floor', quoted, floor: terms.floor };
}

function stopBuyTerms(order: Order, { units, quoted, solUsd, now }: FireLook): FireTerms {
  const rate = rateIn(order.unit, order.side, { got: quoted, given: units }, solUsd, now);
  if (rate === null) return { kind: 'blind' };
  if (order.trigger === null || !isTrue('FALL', order.trigger, rate)) return { kind: 'price-back' };
  const dearest = dearestRate(order.trigger, bps(order.terms.toleranceBps));
  const least = rateInSol(order.unit, order.side, dearest, solUsd, now);
  if (least === null) return { kind: 'blind' };
  const minOut = leastGot(least, units);
  return quoted >= minOut ? { kind: 'fire', units, minOut } : { kind: 'below-floor', quoted, floor: minOut };
}

/** A round takes the price of now less its slippage, and nothing below its band. */
function roundTerms(order: Order, { units, quoted }: FireLook): FireTerms {
  const rate = { got: quoted, given: units };
  const band = order.terms.schedule?.band ?? { least: null, most: null };
  const isWithin =
    (band.least === null || isTrue('RISE', band.least, rate)) &&
    (band.most === null || isTrue('FALL', band.most, rate));
  if (!isWithin) return { kind: 'price-back' };
  const least = band.least === null ? 0n : leastGot(band.least, units);
  return { kind: 'fire', units, minOut: maxBigint(least, minimumOut(quoted, bps(order.terms.slippageBps))) };
}
