/** floor(√value). Throws a RangeError below zero. */
export function squareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError('squareRoot: expected zero or more');
  if (value < 2n) return value;
  // Newton from above: it falls until it is the root.
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
