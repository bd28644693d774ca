/** The one place that divides money. Every caller names the direction. */

/** floor(a · b / c). Operands are not negative; c is positive. */
export function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b) / c;
}

/** ceil(a · b / c). Operands are not negative; c is positive. */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return divCeil(a * b, c);
}

/** ceil(a / b). a is not negative; b is positive. */
export function divCeil(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

export function minBigint(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function maxBigint(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
