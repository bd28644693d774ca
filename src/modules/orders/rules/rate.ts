/** An exact price: units that come out for units that go in. Never rounded; `given` is above zero. */
export type Rate = { readonly got: bigint; readonly given: bigint };

/** Below, equal to or above zero as `a` is worse than, as good as or better than `b`. Exact. */
export function compareRates(a: Rate, b: Rate): number {
  const [left, right] = [a.got * b.given, b.got * a.given];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `rate` times `numerator` / `denominator`. Exact. */
export function scaleRate(rate: Rate, numerator: bigint, denominator: bigint): Rate {
  return { got: rate.got * numerator, given: rate.given * denominator };
}

/** The output of `units` at `rate`, rounded up: for a least acceptable amount. */
export function leastGot(rate: Rate, units: bigint): bigint {
  return (units * rate.got + rate.given - 1n) / rate.given;
}
