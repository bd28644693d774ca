/** Each attempt after the first bids half as much again: an attempt that did not land at a price may be outbid. */
const RAISE = { numerator: 3n, denominator: 2n } as const;
/** Attempts from which on the raise stays: the cap of any tier is reached long before. */
const MOST_RAISES = 40;

/** The bid of attempt number `n`: the first one's, half as much again with each attempt, rounded down. A cap is the caller's. */
export function bidOf(first: bigint, n: number): bigint {
  const raises = BigInt(Math.min(Math.max(n, 1) - 1, MOST_RAISES));
  return (first * RAISE.numerator ** raises) / RAISE.denominator ** raises;
}
