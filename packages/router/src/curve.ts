import { at } from './array-access.ts';

/**
 * One direction of one pool: a concave curve `out = gainOut · C(gainIn · in)`. C is a list of segments in falling price order. In each, s
 * (the square root of output per input) runs from `s0` down to `s1`. Meanwhile `depth · (1/s − 1/s0)` goes in and `depth · (s0 − s)` comes
 * out. A segment of one price has an infinite depth and s1 = s0. A closing row holds the totals and answers for everything beyond the end.
 * All amounts are smallest units, as doubles.
 */
export type Curve = {
  /** The part of the input that remains after fees on the input side, 0 to 1. */
  readonly gainIn: number;
  /** The part of the output that remains after fees on the output side, 0 to 1. */
  readonly gainOut: number;
  /** Output per input at zero size, fees included; 0 for a curve that gives nothing. */
  readonly spot: number;
  readonly segments: number;
  /** (segments + 1) rows of ROW numbers. */
  readonly rows: Float64Array;
};

export const ROW = 5;
export const S0 = 0;
export const S1 = 1;
export const DEPTH = 2;
export const CUM_IN = 3;
export const CUM_OUT = 4;

/** Bounds are made this much larger, so that rounding never puts one below the amount that it bounds. */
const ABOVE_ROUNDING = 1 + 1e-9;

/** A pool's answer to a pair of prices. */
export const ANSWER_IN = 0;
export const ANSWER_OUT = 1;
/** How fast the amount in grows when the rate asked falls: −dx/dr, not negative. */
export const ANSWER_SLOPE = 2;
export const ANSWER_SURPLUS = 3;

/** Input that the curve can use; any more is lost. Infinite for a constant product. */
export function capacityIn(curve: Curve): number {
  return at(curve.rows, curve.segments * ROW + CUM_IN) / curve.gainIn;
}

/** Output for `amountIn`, fees included, not rounded. Flat beyond the end. */
export function outputFor(curve: Curve, amountIn: number): number {
  const rows = curve.rows;
  const x = amountIn * curve.gainIn;
  const row = rowAtInput(curve, x);
  const s0 = at(rows, row);
  const dx = x - at(rows, row + CUM_IN);
  return curve.gainOut * (at(rows, row + CUM_OUT) + (dx * s0 * s0) / (1 + (dx * s0) / at(rows, row + DEPTH)));
}

/** Output of one more unit in after `amountIn`, fees included. */
export function marginalAt(curve: Curve, amountIn: number): number {
  const rows = curve.rows;
  const x = amountIn * curve.gainIn;
  const row = rowAtInput(curve, x);
  const s0 = at(rows, row);
  const s = s0 / (1 + ((x - at(rows, row + CUM_IN)) * s0) / at(rows, row + DEPTH));
  return s * s * curve.gainIn * curve.gainOut;
}

/**
 * max over x of `priceOut · F(x) − priceIn · x`: the profit this pool makes at these prices. Never negative.
 * The closed form per segment is used because subtracting traded amounts cancels catastrophically near the spot price.
 */
export function surplusAt(curve: Curve, priceIn: number, priceOut: number): number {
  if (priceOut * curve.spot <= priceIn) return 0;
  const rows = curve.rows;
  const rate = priceIn / (priceOut * curve.gainIn * curve.gainOut);
  const s = Math.sqrt(rate);
  const row = rowAtPrice(curve, s);
  const before = at(rows, row + CUM_OUT) - (rate > 0 ? rate * at(rows, row + CUM_IN) : 0);
  const fall = at(rows, row) - s;
  const inside = fall > 0 ? (at(rows, row + DEPTH) * fall * fall) / at(rows, row) : 0;
  return priceOut * curve.gainOut * (Math.max(before, 0) + inside);
}

/** The numbers that bound a curve's surplus without its rows. */
export type Extent = {
  /** The most the curve gives for any input, fees included. */
  readonly holds: number;
  /** The most it would give if every price down to 0 were as deep as its deepest segment; infinite for bins. */
  readonly deepest: number;
};

export function extentOf(curve: Curve): Extent {
  let depth = 0;
  for (let segment = 0; segment < curve.segments; segment++) {
    depth = Math.max(depth, at(curve.rows, segment * ROW + DEPTH));
  }
  return {
    holds: at(curve.rows, curve.segments * ROW + CUM_OUT) * curve.gainOut,
    deepest: curve.segments === 0 ? 0 : depth * at(curve.rows, S0) * curve.gainOut,
  };
}

/**
 * No less than `surplusAt` at prices at which the curve trades (`priceOut · spot > priceIn`): it is nowhere deeper than its
 * deepest segment, and sells no more than it holds at no more than its spot price. Of a constant product it is the surplus.
 */
export function surplusBound(
  spot: number,
  holds: number,
  deepest: number,
  priceIn: number,
  priceOut: number,
): number {
  const rest = priceIn / (priceOut * spot);
  const fall = 1 - Math.sqrt(rest);
  // An infinite depth times no fall at all would be no number.
  if (fall <= 0) return 0;
  return priceOut * Math.min(deepest * fall * fall, holds * (1 - rest)) * ABOVE_ROUNDING;
}

/**
 * No less than `outputFor`: the curve is nowhere deeper than its deepest segment and gives no more than it holds. Of a constant
 * product it is the output.
 */
export function outputBound(spot: number, holds: number, deepest: number, amountIn: number): number {
  const flat = amountIn * spot;
  return Math.min(flat / (1 + flat / deepest), holds) * ABOVE_ROUNDING;
}

/**
 * The trade that earns that surplus: writes amount in, amount out, −dx/dr and surplus into `answer`. The rate r is
 * priceIn / priceOut. All four are 0 when the pool does not trade at these prices.
 */
export function answerAt(curve: Curve, priceIn: number, priceOut: number, answer: Float64Array): void {
  if (priceOut * curve.spot <= priceIn) {
    answer[ANSWER_IN] = 0;
    answer[ANSWER_OUT] = 0;
    answer[ANSWER_SLOPE] = 0;
    answer[ANSWER_SURPLUS] = 0;
    return;
  }
  const rows = curve.rows;
  const gainIn = curve.gainIn;
  const gainOut = curve.gainOut;
  const rate = priceIn / (priceOut * gainIn * gainOut);
  const s = Math.sqrt(rate);
  const row = rowAtPrice(curve, s);
  const s0 = at(rows, row);
  const cumIn = at(rows, row + CUM_IN);
  const cumOut = at(rows, row + CUM_OUT);
  const fall = s0 - s;
  const before = cumOut - rate * cumIn;
  const flat = Math.max(before, 0);
  if (fall > 0) {
    const depth = at(rows, row + DEPTH);
    const traded = depth * fall;
    answer[ANSWER_IN] = (cumIn + traded / (s * s0)) / gainIn;
    answer[ANSWER_OUT] = (cumOut + traded) * gainOut;
    answer[ANSWER_SLOPE] = depth / (2 * rate * s * gainIn * gainIn * gainOut);
    answer[ANSWER_SURPLUS] = priceOut * gainOut * (flat + (traded * fall) / s0);
  } else {
    answer[ANSWER_IN] = cumIn / gainIn;
    answer[ANSWER_OUT] = cumOut * gainOut;
    answer[ANSWER_SLOPE] = 0;
    answer[ANSWER_SURPLUS] = priceOut * gainOut * flat;
  }
}

/** Offset of the last row that starts at or before input `x`. */
function rowAtInput(curve: Curve, x: number): number {
  const rows = curve.rows;
  let low = 0;
  let high = curve.segments;
  while (low < high) {
    const intermediate = (low + high + 1) >> 1;
    if (at(rows, intermediate * ROW + CUM_IN) <= x) low = intermediate;
    else high = intermediate - 1;
  }
  return low * ROW;
}

/** Offset of the first row that ends below `s`: all rows before it are used up at this price. */
function rowAtPrice(curve: Curve, s: number): number {
  const rows = curve.rows;
  let low = 0;
  let high = curve.segments;
  while (low < high) {
    const intermediate = (low + high) >> 1;
    if (at(rows, intermediate * ROW + S1) < s) high = intermediate;
    else low = intermediate + 1;
  }
  return low * ROW;
}
