import type { AggregatorHop } from '../../ports/aggregator.ts';

/** Steps between the same two tokens as one hop, in the order in which they first appear. */
export function mergeHops(steps: readonly AggregatorHop[]): readonly AggregatorHop[] {
  const hops = new Map<string, AggregatorHop>();
  for (const step of steps) {
    const key = `${step.mintIn} ${step.mintOut}`;
    const before = hops.get(key);
    hops.set(key, before === undefined ? step : { ...before, parts: [...before.parts, ...step.parts] });
  }
  return [...hops.values()];
}
