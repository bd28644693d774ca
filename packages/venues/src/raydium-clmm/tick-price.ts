/** 1.0001^(−2^k / 2) in Q64.64, k = 0 to 18, with the last bits as the program has them. */
const DOWN_Q64 = [
  0xfffcb933bd6fb800n,
  0xfff97272373d4000n,
  0xfff2e50f5f657000n,
  0xffe5caca7e10f000n,
  0xffcb9843d60f7000n,
  0xff973b41fa98e800n,
  0xff2ea16466c9b000n,
  0xfe5dee046a9a3800n,
  0xfcbe86c7900bb000n,
  0xf987a7253ac65800n,
  0xf3392b0822bb6000n,
  0xe7159475a2caf000n,
  0xd097f3bdfd2f2000n,
  0xa9f746462d9f8000n,
  0x70d869a156f31c00n,
  0x31be135f97ed3200n,
  0x9aa508b5b85a500n,
  0x5d6af8dedc582cn,
  0x2216e584f5fan,
] as const;

export const MAX_TICK = 443_636;

/**
 * The square root of 1.0001^tick in Q64.64, truncated after every factor; above zero it is the reciprocal of the value below. Source of
 * truth: raydium-clmm libraries/tick_math.rs `get_sqrt_price_at_tick`.
 */
export function sqrtPriceOfTick(tick: number): bigint {
  const steps = Math.abs(tick);
  if (!Number.isInteger(tick) || steps > MAX_TICK) throw new RangeError(`tick ${tick} is beyond ${MAX_TICK}`);
  let ratio = 1n << 64n;
  DOWN_Q64.forEach((factor, bit) => {
    if (((steps >> bit) & 1) === 1) ratio = (ratio * factor) >> 64n;
  });
  return tick > 0 ? ((1n << 128n) - 1n) / ratio : ratio;
}
