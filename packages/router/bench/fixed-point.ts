export const Q64 = 1n << 64n;

/** A positive double as Q64.64, rounded down to 2^-64 without losing bits of its mantissa. */
export function toQ64(value: number): bigint {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  if (exponent === 0) return 0n;
  const mantissa = (bits & 0xfffffffffffffn) | 0x10000000000000n;
  const shift = exponent - 1075 + 64;
  return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
}

/** A Q64.64 number as the nearest double. */
export function fromQ64(value: bigint): number {
  return Number(value) / 2 ** 64;
}
