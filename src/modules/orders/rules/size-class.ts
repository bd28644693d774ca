import type { Rate } from './rate.ts';

/** ⌊log₄ amount⌋ of an amount above zero: orders of one class differ in size by less than four times. */
export function sizeClass(amount: bigint): number {
  if (amount <= 0n) throw new RangeError('orders: an amount must be above zero');
  return Math.floor((amount.toString(2).length - 1) / 2);
}

/** The least and the greatest amount of a class. */
export function classEdges(size: number): { readonly lower: bigint; readonly upper: bigint } {
  const lower = 4n ** BigInt(size);
  return { lower, upper: lower * 4n - 1n };
}

/**
 * A rate that no amount of the class falls below, from the output of its upper edge over one curve that is concave. Amounts out are whole
 * units, so a smaller order may lose up to `roundingUnits` units to rounding where the edge loses none: one for each division on the way.
 * As many units of the mint given may be lost, where a fee is rounded: for a token whose unit is dear that counts.
 */
export function leastOfClass(size: number, gotAtUpper: bigint, roundingUnits: bigint): Rate {
  const { lower, upper } = classEdges(size);
  const kept = lower > roundingUnits ? lower - roundingUnits : 0n;
  const scaled = gotAtUpper * kept - roundingUnits * upper;
  return { got: scaled > 0n ? scaled : 0n, given: upper * lower };
}
